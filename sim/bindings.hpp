// What both halves of the bindings use.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "records.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <type_traits>
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

struct Run {
    Records records;
};

// One field of a vector of records as a strided array, without copying.
template <typename Record, typename Field>
nb::object column(std::vector<Record> &rows, Field Record::*field, nb::handle owner)
{
    using Scalar = typename std::conditional_t<std::is_enum_v<Field>, std::underlying_type<Field>,
                                               std::type_identity<Field>>::type;
    static_assert(sizeof(Record) % sizeof(Scalar) == 0);
    void *first = rows.empty() ? nullptr : static_cast<void *>(&(rows[0].*field));
    const std::size_t shape[1] = {rows.size()};
    const std::int64_t stride[1] = {static_cast<std::int64_t>(sizeof(Record) / sizeof(Scalar))};
    return nb::cast(nb::ndarray<nb::numpy, Scalar, nb::ndim<1>>(first, 1, shape, owner, stride));
}

template <typename Scalar> using Array = nb::ndarray<const Scalar, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// An array attribute: set from numpy, stored as a vector, read back as a copy.
template <typename Spec, typename Scalar>
void def_array(nb::class_<Spec> &spec, const char *name, std::vector<Scalar> Spec::*field)
{
    spec.def_prop_rw(
        name, [field](const Spec &self) { return own(std::vector<Scalar>(self.*field)); },
        [field](Spec &self, const Array<Scalar> &values) {
            (self.*field).assign(values.data(), values.data() + values.size());
        });
}

// Make the classes WorldSpec and BulkSpec known to Python.
void bind_spec(nb::module_ &module);
void bind_bulk_spec(nb::module_ &module);

// The tables of bulk transfers.
nb::dict transfer_columns(Run &run, nb::handle owner);
nb::dict bulk_columns(Run &run, nb::handle owner);

} // namespace penstock
