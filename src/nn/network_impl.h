// Inside of Network, for the files of this room.
#pragma once

#include <memory>

#include "aligned.h"
#include "deepcfr/nn/network.h"
#include "model.h"

namespace deepcfr {

struct Network::Impl {
  NetworkOptions options;
  std::shared_ptr<const nn::Model> model;  // shared by clones
  nn::AlignedFloats packed;
  std::unique_ptr<nn::Pass> pass;  // workspace of forward(), made at its first use; refers to *model
};

}  // namespace deepcfr
