// docs/configuration.md, from the table.
#include <string>

#include "deepcfr/config/config.h"
#include "fields.h"
#include "print.h"

namespace deepcfr {
namespace {

constexpr const char* kIntroduction = R"(# Configuration

This page is written by `deepcfr config docs` from the table of fields in `src/config/fields.cpp`; a test compares the two.

One YAML file describes one training run. Every key has a default, so a file states what differs. `deepcfr config check FILE`
reads a file and does nothing else; `deepcfr config print FILE` shows every setting that a run would have, `--comments` with
the text below. Each run keeps its resolved settings in `RUN/config.yaml`, the drawn seed of `seed: random` included: training
from that file repeats the run.

## How files are read

Later wins: defaults, the file, the profile of `--profile NAME`, each `--set KEY=VALUE`. Within one of these, keys under
`network.advantage` and `network.strategy` win over those directly under `network`; the same under `training`.

Reading is strict. Refused, with file, line, key and remedy: unknown, misplaced and duplicate keys; values of a wrong type or out of
range; empty values; NaN and infinities; anchors, aliases, merge keys and tags; a second document; tabs; text that is not UTF-8.

- Booleans: `true`, `yes`, `on`, `false`, `no`, `off`, in lower case and without quotes. Nothing else is one: `1`, `y`, `True` are errors,
  and `"no"` in quotes is a string. A key whose words include `on` or `off` takes the other words for that boolean too.
- Whole numbers: digits, or with a point or an exponent if the value is whole: `1000000`, `1e6`, `1000000.0`. `010`, `0x10` and `1_000` are
  errors. Counts have 64 bits.
- Texts: with or without quotes; `no` is the text "no" where a text is expected.
- Lists: `[random, tight]`, or one item a line after `- `.

## Profiles and --set

`profiles:` at the top level maps names to partial settings, which `--profile NAME` lays over the file:

```yaml
game:
  name: leduc
profiles:
  remote:
    traversal:
      workers: 16
```

`--set traversal.workers=2` sets one key; it may be given several times. Lists are written `--set 'evaluation.opponents=[random, tight]'`.
)";

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

void section_heading(std::string& out, const std::string& section) {
  out += "\n## " + (section.empty() ? std::string("Top level") : "`" + section + "`") + "\n\n";
  if (section == "network" || section == "training") {
    const std::string which = section == "network" ? "network" : "fit";
    out += "Keys marked * may also stand under `" + section + ".advantage` and `" + section + ".strategy`, for that " + which +
           " alone.\n\n";
  }
  out += "| key | default | values | meaning |\n| --- | --- | --- | --- |\n";
}

}  // namespace

std::string config_documentation() {
  const TrainOptions defaults;
  std::string out = kIntroduction;
  std::string section = "none yet";
  for (const Field& field : config_fields()) {
    if (field.specific()) continue;
    if (field.section() != section) {
      section = field.section();
      section_heading(out, section);
    }
    const std::string mark = field.scope == Field::Scope::shared ? " *" : "";
    out += "| `" + field.path + "`" + mark + " | `" + yaml_value(field.get(defaults)) + "` | " + cell(field.range) + " | " +
           cell(field.help) + " |\n";
  }
  return out;
}

}  // namespace deepcfr
