// SPDX-License-Identifier: MIT
// Everything: include this one.
#pragma once

#include "packscope/algorithms.hpp"
#include "packscope/batch.hpp"
#include "packscope/corpus.hpp"
#include "packscope/executor.hpp"
#include "packscope/group_by_length.hpp"
#include "packscope/histogram.hpp"
#include "packscope/ledger_counts.hpp"
#include "packscope/masks.hpp"
#include "packscope/operators.hpp"
#include "packscope/options.hpp"
#include "packscope/pack.hpp"
#include "packscope/palette.hpp"
#include "packscope/plan.hpp"
#include "packscope/render.hpp"
#include "packscope/result.hpp"
#include "packscope/stats.hpp"
#include "packscope/token_view.hpp"
#include "packscope/trace.hpp"
#include "packscope/validate.hpp"
