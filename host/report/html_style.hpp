// The style sheet of the HTML report. Colours are those of Okabe and Ito (2008), which stay apart for
// colour-blind eyes, each in a shade for light and one for dark; no fact is told by colour alone.
#pragma once

#include <string_view>

namespace rigd::report {

inline constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --paper: #ffffff; --panel: #f5f6f8; --ink: #16181d; --faint: #5a6270; --rule: #d5d9e0;
  --trace: #0072b2; --band: #0072b240; --window: #e69f0033; --gap: #d55e0066; --good: #00724f; --warn: #8a5a00;
  --bad: #b3400a; --interval: #009e7333; }
@media (prefers-color-scheme: dark) { :root { --paper: #14161a; --panel: #1d2026; --ink: #e8eaee; --faint: #a3abb8;
  --rule: #373c46; --trace: #56b4e9; --band: #56b4e94d; --window: #e69f0038; --gap: #ff8a4c80; --good: #3ecf9a;
  --warn: #f0b83a; --bad: #ff8a4c; --interval: #009e7366; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 108rem; background: var(--paper); color: var(--ink);
  font: 16px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; } h2 { font-size: 1.35rem; margin: 2.2rem 0 .5rem; }
h3 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .3rem 0; } code { font: .92em ui-monospace, monospace; overflow-wrap: anywhere; }
small, .faint { color: var(--faint); } small { font-size: .8em; }
.scroll { overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; margin: .8rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .6rem; text-align: right; vertical-align: top; white-space: nowrap;
  border-bottom: 1px solid var(--rule); }
th { background: var(--panel); font-weight: 600; vertical-align: bottom; } tbody tr:last-child td { border-bottom: 0; }
th:first-child, td:first-child, .left { text-align: left; } th small, td small { display: block; white-space: pre; }
th:first-child, td:first-child { position: sticky; left: 0; background: var(--paper); } th:first-child { background: var(--panel); }
.good { color: var(--good); } .warn { color: var(--warn); font-weight: 600; } .bad { color: var(--bad); font-weight: 700; }
.banner { border-left: .35rem solid var(--bad); background: var(--panel); padding: .6rem .9rem; margin: .8rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .6rem 0; }
dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
.cases { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(30rem, 100%), 1fr)); gap: 1rem;
  align-items: start; }
article { border: 1px solid var(--rule); border-radius: 6px; padding: .8rem 1rem; background: var(--panel); min-width: 0; }
figure { margin: .6rem 0 0; } figcaption { color: var(--faint); font-size: .85em; }
svg { width: 100%; height: auto; display: block; } svg text { font: 11px system-ui, sans-serif; fill: var(--faint); }
.grid { stroke: var(--rule); stroke-width: 1; } .envelope { fill: var(--band); stroke: var(--band); stroke-width: 1; }
.mean { fill: none; stroke: var(--trace); stroke-width: 1.2; } .window { fill: var(--window); } .gap { fill: var(--gap); }
.dot { fill: var(--trace); fill-opacity: .75; } .median { stroke: var(--ink); stroke-width: 1.5; }
.interval { fill: var(--interval); }
details { margin: .6rem 0; } summary { cursor: pointer; color: var(--faint); }
pre { overflow-x: auto; background: var(--panel); padding: .6rem; border-radius: 6px; font: .85em/1.4 ui-monospace, monospace; }
@media print { .scroll { overflow: visible; } article { break-inside: avoid; } }
)css";

}  // namespace rigd::report
