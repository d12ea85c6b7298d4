// What both halves of the bindings use.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <utility>
#include <vector>

namespace penstock {

namespace nb = nanobind;

// A numpy array that owns its values.
template <typename Scalar> nb::object own(std::vector<Scalar> values)
{
    auto held = std::make_unique<std::vector<Scalar>>(std::move(values));
    Scalar *data = held->data();
    const std::size_t shape[1] = {held->size()};
    nb::capsule owner(held.release(), [](void *p) noexcept { delete static_cast<std::vector<Scalar> *>(p); });
    return nb::cast(nb::ndarray<nb::numpy, Scalar, nb::ndim<1>>(data, 1, shape, owner));
}

// Makes the class WorldSpec known to Python.
void bind_spec(nb::module_ &module);

} // namespace penstock
