#!/usr/bin/env python3
"""Makes expected.json: the statistics of a few data sets, computed by NumPy and SciPy (Debian: python3-numpy,
python3-scipy) from their own implementations, for tests/unit/analysis. Run it only to change the data sets:

    python3 make_expected.py > expected.json
"""

import json
import math

import numpy
from scipy import stats


def data_sets():
    random = numpy.random.default_rng(20261201)
    noisy = 1e6 + 40.0 * random.standard_normal(50)
    drifting = 500.0 + 0.8 * numpy.arange(40) + 2.0 * random.standard_normal(40)
    bimodal = numpy.where(random.random(31) < 0.4, 12.0, 17.5) + 0.1 * random.standard_normal(31)
    ties = random.integers(0, 5, 24).astype(float)
    with_outliers = 3.0 + 0.01 * random.standard_normal(30)
    with_outliers[[4, 17]] = [3.2, 2.5]
    return {
        "noisy": noisy,
        "drifting": drifting,
        "bimodal": bimodal,
        "ties": ties,
        "with_outliers": with_outliers,
        "six": numpy.array([3.0, 1.0, 4.0, 1.5, 5.0, 9.0]),
        "three": numpy.array([2.0, 7.0, 1.0]),
        "two": numpy.array([-1.0, 1.5]),
    }


def median_interval(x):
    """Order statistics k and n + 1 - k, with the binomial quantile that the sign test inverts to."""
    k = int(stats.binom.ppf(0.025, len(x), 0.5))
    return [numpy.sort(x)[k - 1], numpy.sort(x)[-k]] if k > 0 else None


def expected(x):
    n = len(x)
    mad = stats.median_abs_deviation(x)
    score = numpy.abs(x - numpy.median(x)) * stats.norm.ppf(0.75).round(4) / mad
    mean_interval = stats.t.interval(0.95, n - 1, loc=x.mean(), scale=stats.sem(x))
    spearman = stats.spearmanr(numpy.arange(n), x)
    centred = x - x.mean()
    return {
        "values": list(x),
        "mean": math.fsum(x) / n,
        "median": numpy.median(x),
        "quartiles": [numpy.quantile(x, 0.25), numpy.quantile(x, 0.75)],
        "mad": mad,
        "sd": x.std(ddof=1),
        "cv": stats.variation(x, ddof=1) if x.mean() > 0 else -stats.variation(x, ddof=1),
        "mean_interval": list(mean_interval),
        "median_interval": median_interval(x),
        "lag1": numpy.correlate(centred, centred, "full")[n] / (centred @ centred),
        "drift": spearman.correlation,
        "drift_p": None if n < 3 else spearman.pvalue,
        "outliers": [int(i) for i in numpy.flatnonzero(score > 3.5)],
    }


print(json.dumps({name: expected(x) for name, x in data_sets().items()}, indent=1))
