// AMX: tiles of 16 rows of 64 bytes. Two by two tiles of sums are held at a time: 32 rows by 32 outputs. Their bias, ReLU and
// rounding are done between the tile instructions of the next two by two, in another part of the processor.
#include "bfloat16_finish.h"

#if defined(__AMX_TILE__) && defined(__AMX_BF16__) && defined(__AVX512F__) && defined(__AVX512BF16__)

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace deepcfr::nn {
namespace {

// Written out, because g++ 12's intrinsics do not tell the compiler that they read and write memory.
#define DEEPCFR_TILE_LOAD(tile, at, stride) \
  asm volatile("tileloadd (%0,%1,1), %%tmm" #tile ::"r"(at), "r"(static_cast<std::int64_t>(stride)) : "memory")
// The same, for what is not used again before it would leave the first cache anyway: it does not push out what is.
#define DEEPCFR_TILE_STREAM(tile, at, stride) \
  asm volatile("tileloaddt1 (%0,%1,1), %%tmm" #tile ::"r"(at), "r"(static_cast<std::int64_t>(stride)) : "memory")
#define DEEPCFR_TILE_STORE(tile, at, stride) \
  asm volatile("tilestored %%tmm" #tile ", (%0,%1,1)" ::"r"(at), "r"(static_cast<std::int64_t>(stride)) : "memory")
// Many rows: a panel of weights is used for one square after the other and the rows stream past; else the other way round.
#define DEEPCFR_LOAD_A(tile, at, stride)   \
  if constexpr (ManyRows)                  \
    DEEPCFR_TILE_STREAM(tile, at, stride); \
  else                                     \
    DEEPCFR_TILE_LOAD(tile, at, stride)
#define DEEPCFR_LOAD_B(tile, at, stride) \
  if constexpr (ManyRows)                \
    DEEPCFR_TILE_LOAD(tile, at, stride); \
  else                                   \
    DEEPCFR_TILE_STREAM(tile, at, stride)
#define DEEPCFR_TILE_MULTIPLY(sum, a, b) asm volatile("tdpbf16ps %%tmm" #b ", %%tmm" #a ", %%tmm" #sum ::)
#define DEEPCFR_TILE_ZERO(tile) asm volatile("tilezero %%tmm" #tile ::)

constexpr int kSquare = 2 * kBfloat16Rows;             // rows of two tiles
constexpr std::int64_t kPairRow = 2 * kBfloat16Panel;  // elements of a pair of inputs in packed weights

struct alignas(64) TileConfiguration {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

/// The tile registers belong to this thread while it lives; LibTorch's own kernels configure theirs each time.
class Tiles {
 public:
  Tiles() {
    static constexpr TileConfiguration kConfiguration;
    asm volatile("ldtilecfg %0" ::"m"(kConfiguration));
  }
  ~Tiles() { asm volatile("tilerelease" ::); }
  Tiles(const Tiles&) = delete;
  Tiles& operator=(const Tiles&) = delete;
};

/// Sums waiting for their bias, ReLU and rounding.
struct Pending {
  alignas(64) float sums[kSquare * kBfloat16Panel];
  Bfloat16Finish finish;
  std::int64_t first_row = 0;
  int rows = 0;
  int done = 0;

  /// Rows that a step of the next square finishes.
  static constexpr int kFew = 4;
  bool hidden = false;

  [[gnu::always_inline]] inline void advance(int groups) {
    for (; groups > 0 && done < rows; --groups, done += kFew) {
      const float* at = sums + done * kBfloat16Panel;
      if (hidden && done + kFew <= rows) {
#pragma GCC unroll 4
        for (int i = 0; i < kFew; ++i, at += kBfloat16Panel)
          finish.hidden_row(first_row + done + i, _mm512_load_ps(at), _mm512_load_ps(at + 16));
      } else {
        for (int i = done; i < std::min(rows, done + kFew); ++i, at += kBfloat16Panel)
          finish.row(first_row + i, _mm512_load_ps(at), _mm512_load_ps(at + 16));
      }
    }
  }
};

struct Factors {
  const Bfloat16Bits* a;  ///< first row of the tile row, first panel
  std::int64_t a_step;    ///< elements from one panel to the next
  const Bfloat16Bits* b;  ///< packed panel of outputs
  std::int64_t steps;     ///< panels of the inner index
};
struct Operands {
  Factors terms[kMaxBfloat16Terms];
  std::size_t count;
  std::int64_t steps;  ///< of all terms
};

/// Sums of TileRows × TileColumns tiles into `to`, while `before` is finished.
template <int TileRows, int TileColumns, bool ManyRows>
void square(const Operands& o, Pending& before, float* to) {
  constexpr std::int64_t kTile = kBfloat16Rows * kBfloat16Panel;
  DEEPCFR_TILE_ZERO(0);
  if constexpr (TileColumns == 2) DEEPCFR_TILE_ZERO(1);
  if constexpr (TileRows == 2) DEEPCFR_TILE_ZERO(2);
  if constexpr (TileRows == 2 && TileColumns == 2) DEEPCFR_TILE_ZERO(3);
  const int share = static_cast<int>((before.rows + Pending::kFew * o.steps - 1) / (Pending::kFew * o.steps));
  for (std::size_t t = 0; t < o.count; ++t) {
    const Bfloat16Bits* a = o.terms[t].a;
    const Bfloat16Bits* b = o.terms[t].b;
    for (std::int64_t s = 0; s < o.terms[t].steps; ++s, a += o.terms[t].a_step, b += kBfloat16Rows * kPairRow) {
      DEEPCFR_LOAD_A(4, a, 64);
      DEEPCFR_LOAD_B(6, b, kPairRow * 2);
      DEEPCFR_TILE_MULTIPLY(0, 4, 6);
      if constexpr (TileColumns == 2) {
        DEEPCFR_LOAD_B(7, b + kBfloat16Panel, kPairRow * 2);
        DEEPCFR_TILE_MULTIPLY(1, 4, 7);
      }
      if constexpr (TileRows == 2) {
        DEEPCFR_LOAD_A(5, a + kTile, 64);
        DEEPCFR_TILE_MULTIPLY(2, 5, 6);
        if constexpr (TileColumns == 2) DEEPCFR_TILE_MULTIPLY(3, 5, 7);
      }
      before.advance(share);
    }
  }
  DEEPCFR_TILE_STORE(0, to, kBfloat16Panel * 4);
  if constexpr (TileColumns == 2) DEEPCFR_TILE_STORE(1, to + 16, kBfloat16Panel * 4);
  if constexpr (TileRows == 2) {
    DEEPCFR_TILE_STORE(2, to + kTile, kBfloat16Panel * 4);
    if constexpr (TileColumns == 2) DEEPCFR_TILE_STORE(3, to + kTile + 16, kBfloat16Panel * 4);
  }
}

using SquareFunction = void (*)(const Operands&, Pending&, float*);
constexpr SquareFunction kSquares[2][2][2] = {  // [many rows][two rows of tiles][two columns of tiles]
    {{square<1, 1, false>, square<1, 2, false>}, {square<2, 1, false>, square<2, 2, false>}},
    {{square<1, 1, true>, square<1, 2, true>}, {square<2, 1, true>, square<2, 2, true>}}};

class AmxKernel final : public Bfloat16Kernel {
 public:
  AmxKernel() {
    for (Pending& p : pending_) std::fill_n(p.sums, kSquare * kBfloat16Panel, 0.0F);
  }

  void multiply(std::int64_t rows, std::span<const Bfloat16Factors> terms, const Bfloat16Result& result) override {
    const Tiles tiles;
    Operands o{};
    o.count = terms.size();
    for (const Bfloat16Factors& term : terms) o.steps += bfloat16_panel_count(term.w->in);
    const int out = terms[0].w->out;
    const auto& squares = kSquares[rows > kSquare];
    int turn = 0;
    pending_[0].rows = pending_[1].rows = 0;
    for (int p = 0; p < bfloat16_panel_count(out); ++p) {
      for (std::size_t t = 0; t < terms.size(); ++t) {
        const std::int64_t steps = bfloat16_panel_count(terms[t].w->in);
        o.terms[t] = {nullptr, terms[t].x->pitch * kBfloat16Panel, terms[t].w->pairs.data() + p * steps * kBfloat16Rows * kPairRow, steps};
      }
      const Bfloat16Finish finish(result, rows, p);
      const bool half = out - p * kBfloat16Panel <= kBfloat16Panel / 2;
      for (std::int64_t r = 0; r < rows; r += kSquare, turn = 1 - turn) {
        for (std::size_t t = 0; t < terms.size(); ++t) o.terms[t].a = terms[t].x->row(0, r);
        Pending& before = pending_[1 - turn];
        Pending& now = pending_[turn];
        const int height = static_cast<int>(std::min<std::int64_t>(kSquare, rows - r));
        if (half) std::fill_n(now.sums, kSquare * kBfloat16Panel, 0.0F);
        squares[height > kBfloat16Rows][!half](o, before, now.sums);
        now.hidden = finish.hidden();
        now.finish = finish;
        now.first_row = r;
        now.rows = height;
        now.done = 0;
      }
    }
    pending_[1 - turn].advance(kSquare / Pending::kFew);
  }

 private:
  Pending pending_[2];
};

/// Asks the operating system for the tile registers, once for the process.
bool tiles_permitted() {
  static const bool permitted = [] {
    constexpr int kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
    constexpr int kTileData = 18;
    return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
  }();
  return permitted;
}

}  // namespace

std::unique_ptr<Bfloat16Kernel> make_amx_kernel() {
  if (__builtin_cpu_supports("avx512bf16") == 0 || !tiles_permitted()) return nullptr;
  return std::make_unique<AmxKernel>();
}

}  // namespace deepcfr::nn

#else

namespace deepcfr::nn {
std::unique_ptr<Bfloat16Kernel> make_amx_kernel() { return nullptr; }
}  // namespace deepcfr::nn

#endif
