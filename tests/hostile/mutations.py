"""Ways to spoil the datasets and attributes of a map. Each is a name and a function that changes the file at a path, as
another program or an attacker might. Spoilt bytes: byte_mutations.py."""
import h5py
import numpy

STRING = h5py.string_dtype()
HUGE = 1 << 40


# ---- datasets ----

def _replace(path, name, make):
    """Puts another object under the name; attributes are copied where it can have them."""
    with h5py.File(path, "r+") as file:
        old = file[name]
        attributes = [(key, old.attrs.get_id(key)) for key in old.attrs
                      if key not in ("DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME")]
        copies = [(key, _raw(attribute)) for key, attribute in attributes]
        shape, dtype, values = old.shape, old.dtype, old[()]
        del file[name]
        make(file, name, shape, dtype, values)
        if file.get(name, getlink=True).__class__ is h5py.HardLink and file[name] != file["/"]:
            for key, (space, kind, data) in copies:
                if key in file[name].attrs:  # the new object is another dataset of the map
                    continue
                attribute = h5py.h5a.create(file[name].id, key.encode(), kind, space)
                attribute.write(data, mtype=kind)


def _raw(attribute):
    kind, space = attribute.get_type(), attribute.get_space()
    data = numpy.empty(space.shape, dtype=attribute.dtype)
    attribute.read(data, mtype=kind)
    return space, kind, data


def _shape(change):
    """A dataset of another shape, its values 0."""
    return lambda file, name, shape, dtype, values: file.create_dataset(
        name, change(shape), dtype)


def _cells(change):
    """The same shape, other values."""
    def make(file, name, shape, dtype, values):
        file.create_dataset(name, data=numpy.full(shape, change(dtype), dtype))
    return make


def _typed(dtype):
    return lambda file, name, shape, old, values: file.create_dataset(name, shape, dtype)


def _low(kind, space=None, plan=None):
    """A dataset by HDF5's low-level functions: kind, space and plan are made when they are needed."""
    def make(file, name, shape, dtype, values):
        made = space(shape) if space else h5py.h5s.create_simple(shape) if shape else \
            h5py.h5s.create(h5py.h5s.SCALAR)
        h5py.h5d.create(file.id, name.encode(), kind(dtype), made, plan(shape) if plan else None)
    return make


def _own(dtype):
    return h5py.h5t.py_create(dtype)


def _wide(size):
    def kind(dtype):
        made = h5py.h5t.STD_I8LE.copy()
        made.set_size(size)
        return made
    return kind


def _odd_float(dtype):
    made = h5py.h5t.IEEE_F64LE.copy()
    made.set_fields(40, 20, 11, 0, 20)
    made.set_ebias(3)
    return made


def _plan(**settings):
    def plan(shape):
        made = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        for name, values in settings.items():
            getattr(made, name)(*values)
        return made
    return plan


def _spread(shape):
    """A chunk much larger than the dataset."""
    made = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    made.set_chunk(tuple(1 << 20 if d == 0 else 1 << 8 for d in range(len(shape))) or (1,))
    made.set_deflate(9)
    return made


def _growing(shape):
    return h5py.h5s.create_simple(shape or (1,), (h5py.h5s.UNLIMITED,) * (len(shape) or 1))


def _link(link):
    def make(file, name, *ignored):
        file[name] = link
    return make


def _virtual(source, extent=None):
    def make(file, name, shape, dtype, values):
        shape = extent or shape or (1,)
        layout = h5py.VirtualLayout(shape, dtype)
        layout[...] = h5py.VirtualSource(source, "elsewhere", shape, dtype)
        file.create_virtual_dataset(name, layout)
    return make


def _squeezed(file, name, shape, dtype, values):
    """A compressed dataset whose chunk is overwritten."""
    data = numpy.asarray(values) if shape else numpy.full((1,), values)
    made = file.create_dataset(name, data=data, chunks=data.shape, compression=4, shuffle=True)
    file.flush()
    made.id.write_direct_chunk((0,) * data.ndim, b"\x78\x9c" + b"\xff" * 100)


def _bomb(file, name, shape, dtype, values):
    """16 MB of zeros in 16 kB."""
    file.create_dataset(name, data=numpy.zeros(1 << 21), chunks=(1 << 20,), compression=9)


def _extreme(largest):
    def value(dtype):
        if dtype.kind == "f":
            return numpy.inf if largest else numpy.nan
        return numpy.iinfo(dtype).max if largest else numpy.iinfo(dtype).min
    return value


DATASETS = {
    "deleted": lambda file, name, *ignored: None,
    "group": lambda file, name, *ignored: file.create_group(name),
    "named type": _link(numpy.dtype("i4")),
    "root": lambda file, name, *ignored: file.__setitem__(name, file["/"]),
    "other dataset": lambda file, name, *ignored: file.__setitem__(name, file["run/start"]),
    "soft link": _link(h5py.SoftLink("/nowhere")),
    "soft link to itself": lambda file, name, *ignored: file.__setitem__(
        name, h5py.SoftLink("/" + name)),
    "soft link to another": _link(h5py.SoftLink("/run/seconds")),
    "external link": _link(h5py.ExternalLink("nowhere.h5", "/outcome")),
    "external link to a device": _link(h5py.ExternalLink("/dev/zero", "/outcome")),
    "external link to a terminal": _link(h5py.ExternalLink("/dev/stdin", "/outcome")),
    "scalar": _shape(lambda shape: ()),
    "one dimension more": _shape(lambda shape: shape + (2,)),
    "one dimension less": _shape(lambda shape: shape[1:]),
    "seven dimensions": _shape(lambda shape: (2,) * 7),
    "twelve dimensions": _shape(lambda shape: (1,) * 12),
    "longer": _shape(lambda shape: (shape[0] + 1,) + shape[1:] if shape else (2,)),
    "shorter": _shape(lambda shape: (max(shape[0] - 1, 0),) + shape[1:] if shape else (0,)),
    "one value": _shape(lambda shape: (1,) * len(shape)),
    "no values": _shape(lambda shape: (0,) * len(shape) or (0,)),
    "reversed": _shape(lambda shape: shape[::-1]),
    "flat": _shape(lambda shape: (int(numpy.prod(shape)),)),
    "null space": lambda file, name, shape, dtype, values: file.create_dataset(
        name, data=h5py.Empty(dtype)),
    "huge": lambda file, name, shape, dtype, values: file.create_dataset(
        name, (HUGE,) + shape[1:], dtype, chunks=(1 << 12,) + shape[1:]),
    "huge and late": _low(_own, lambda shape: h5py.h5s.create_simple((HUGE,) * max(len(shape), 1))
                          if len(shape) < 2 else h5py.h5s.create_simple((HUGE,) + shape[1:])),
    "huge product": _shape(lambda shape: (1 << 15,) * 4),
    "unlimited": _low(_own, _growing, lambda shape: _plan(
        set_chunk=((1,) * (len(shape) or 1),))(shape)),
    "large chunks": _low(_own, _growing, _spread),
    "text": _typed("S8"),
    "long text": _typed("S100000"),
    "texts of any length": _typed(STRING),
    "lists": _typed(h5py.vlen_dtype(numpy.int32)),
    "compound": _typed(numpy.dtype([("r", "f8"), ("i", "f8")])),
    "opaque": _typed(h5py.opaque_dtype(numpy.dtype("M8[s]"))),
    "enumeration": _typed(h5py.enum_dtype({"a": 0, "b": 1}, "i1")),
    "truth": _typed(numpy.dtype(bool)),
    "arrays": _typed(numpy.dtype(("f8", (3,)))),
    "references": _typed(h5py.ref_dtype),
    "int64": _typed("i8"),
    "big-endian": _typed(">f8"),
    "half": _typed("f2"),
    "unsigned": _typed("u8"),
    "long double": _typed(numpy.longdouble),
    "odd float": _low(_odd_float),
    "integer of 3 bytes": _low(_wide(3)),
    "integer of 5 MB": _low(_wide(5 << 20), lambda shape: h5py.h5s.create_simple((1,) * len(shape))
                            if shape else h5py.h5s.create(h5py.h5s.SCALAR)),
    "integer of 2 GB, late": _low(_wide((1 << 31) - 1)),
    "values in a device": _low(_own, lambda shape: h5py.h5s.create_simple(shape or (1,)),
                               _plan(set_external=(b"/dev/zero", 0, h5py.h5f.UNLIMITED))),
    "values in another file": _low(_own, lambda shape: h5py.h5s.create_simple(shape or (1,)),
                                   _plan(set_external=(b"nowhere.raw", 0, h5py.h5f.UNLIMITED))),
    "virtual": _virtual("nowhere.h5"),
    "virtual, of itself": _virtual("."),
    "virtual and huge": _virtual("nowhere.h5", (HUGE,)),
    "damaged chunk": _squeezed,
    "bomb": _bomb,
    "largest values": _cells(_extreme(True)),
    "smallest values": _cells(_extreme(False)),
    "sevens": _cells(lambda dtype: 77),
}


# ---- attributes ----

def _attribute(make):
    def change(path, name, key):
        with h5py.File(path, "r+") as file:
            if key in file[name].attrs:
                del file[name].attrs[key]
            make(file, file[name], key)
    return change


def _value(value, **options):
    return _attribute(lambda file, thing, key: thing.attrs.create(key, value, **options))


def _lists(change):
    """A list of dimension scales that is wrong."""
    def make(file, thing, key):
        lists = [[file[scale].ref] for scale in change(file, thing)]
        data = numpy.empty(len(lists), dtype=object)
        for i, entry in enumerate(lists):
            data[i] = numpy.array(entry, dtype=h5py.ref_dtype)
        thing.attrs.create(key, data, dtype=h5py.vlen_dtype(h5py.ref_dtype))
    return _attribute(make)


def _padded(text):
    def make(file, thing, key):
        kind = h5py.h5t.C_S1.copy()
        kind.set_size(len(text))
        kind.set_strpad(h5py.h5t.STR_NULLTERM)
        attribute = h5py.h5a.create(thing.id, key.encode(), kind, h5py.h5s.create(h5py.h5s.SCALAR))
        attribute.write(numpy.array(text, dtype=f"S{len(text)}"), mtype=kind)
    return _attribute(make)


ATTRIBUTES = {
    "deleted": _attribute(lambda *ignored: None),
    "number": _value(3.5),
    "integer": _value(7, dtype="i8"),
    "largest integer": _value((1 << 64) - 1, dtype="u8"),
    "nan": _value(float("nan")),
    "empty": _value(h5py.Empty("S1")),
    "empty of floats": _value(h5py.Empty("f8")),
    "no values": _value(numpy.zeros(0)),
    "empty text": _value(""),
    "text": _value("axis"),
    "other text": _value("outcome"),
    "session": _value("session"),
    "three texts": _value(numpy.array([b"output", b"outcome", b"axis"])),
    "list of texts": _value(["output", "outcome"], dtype=STRING),
    "one text in a list": _value(numpy.array([b"output"])),
    "long text": _value(numpy.array(b"x" * 60000)),
    "long text of any length": _value("y" * 3000000),
    "not UTF-8": _value(numpy.array(b"\xff\xfe\xc3( \x80")),
    "cut character": _value("a" * 62 + "\u00e9\u00e9"),
    "control characters": _value("a\x1b[31mb\nc\td\re"),
    "no final 0": _padded(b"outputoutcome"),
    "integers": _value(numpy.arange(65, dtype="i1")),
    "many integers": _value(numpy.arange(8000)),
    "one integer": _value(numpy.array([1], dtype="i1")),
    "floats": _value(numpy.linspace(-1e300, 1e300, 9)),
    "compound": _value(numpy.zeros(2, dtype=[("a", "f8"), ("b", "S3")])),
    "reference": _value(numpy.array(h5py.Reference(), dtype=h5py.ref_dtype)),
    "lists": _attribute(lambda file, thing, key: thing.attrs.create(
        key, numpy.array([numpy.arange(5), None], dtype=object)[:1],
        dtype=h5py.vlen_dtype(numpy.int64))),
    "truth": _value(True),
    "scale of itself": _lists(lambda file, thing: [thing.name]),
    "scales too many": _lists(lambda file, thing: ["outcome"] * 40),
    "scale that is the root": _lists(lambda file, thing: ["/"] * max(len(getattr(
        thing, "shape", ())), 1)),
    "null scales": _attribute(lambda file, thing, key: h5py.h5a.create(
        thing.id, key.encode(), h5py.h5t.vlen_create(h5py.h5t.STD_REF_OBJ),
        h5py.h5s.create_simple((len(getattr(thing, "shape", ())) or 1,)))),
    "flags": _value(" ".join(f"flag{i}" for i in range(3000))),
    "long flag": _value("z" * 5000 + " w"),
    "blanks": _value("   "),
    "scale": _value(numpy.array(b"DIMENSION_SCALE")),
    "long scale": _value(numpy.array(b"DIMENSION_SCALE" + b"!" * 500)),
}


def structured(path):
    """Every change of every dataset, every attribute, and every wrong place of an attribute."""
    with h5py.File(path) as file:
        names = []
        file.visititems(lambda name, item: names.append(name)
                        if isinstance(item, h5py.Dataset) else None)
        datasets = {name: list(file[name].attrs) for name in names}
        datasets["/"] = list(file.attrs)
    for dataset, keys in datasets.items():
        for name, make in DATASETS.items():
            if dataset != "/":
                yield (f"{dataset}: {name}",
                       lambda path, dataset=dataset, make=make: _replace(path, dataset, make))
        for key in keys + ["flag_values", "flag_meanings", "DIMENSION_LIST", "CLASS"]:
            for name, change in ATTRIBUTES.items():
                yield (f"{dataset}.{key}: {name}",
                       lambda path, dataset=dataset, key=key, change=change:
                       change(path, dataset, key))


def make_minimal(path, outputs):
    """The smallest file that is a map, so that a mutation contradicts nothing else in it."""
    with h5py.File(path, "w", track_order=True) as file:
        file.attrs["impactsweep_format"] = 2
        file.create_group("run", track_order=True)
        for name, role in [("outcome", b"outcome"), ("run/start", b"session")]:
            made = file.create_dataset(name, data=numpy.ones(4, dtype="i1"))
            made.attrs["impactsweep_role"] = numpy.array(role)
            made.attrs["units"] = numpy.array(b"1")
        file["outcome"].attrs["flag_values"] = numpy.arange(7, dtype="i1")
        file["outcome"].attrs["flag_meanings"] = numpy.array(b"pending solved outside")
        file["foreign"] = 3.5
        for name in outputs:
            made = file.create_dataset(name, data=numpy.array([-1, numpy.nan, 1e300, 3]))
            made.attrs["impactsweep_role"] = numpy.array(b"output")
