#include "rigd/waveform.hpp"

#include <memory>
#include <string>

#include "probe/ppk2/calibration.hpp"
#include "probe/ppk2/metadata.hpp"

namespace rigd {

store::Convert converter_of(const store::Run& run, double voltage_v) {
  using namespace probe::ppk2;
  if (!run.probe || run.probe->driver != "ppk2") return {};
  const std::string answer = run.probe->calibration_text + "END\n";
  MetadataParser parser;
  parser.feed(std::as_bytes(std::span(answer)));
  const Result<Metadata> metadata = parser.result();
  if (!metadata) return {};
  const auto table = std::make_shared<const ConversionTable>(metadata->calibration, Volt(voltage_v));
  return [table](std::span<const std::uint32_t> words, std::span<float> current_a) {
    for (std::size_t i = 0; i < words.size(); ++i)
      current_a[i] = (*table)[words[i]];
  };
}

}  // namespace rigd
