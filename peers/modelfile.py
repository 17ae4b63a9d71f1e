"""Files for data/modelfile, read and written by Hugging Face's safetensors.

    python3 -m venv /tmp/safetensors && /tmp/safetensors/bin/pip install safetensors==0.8.0 numpy==2.4.6
    /tmp/safetensors/bin/python peers/modelfile.py

run from the root of the repository, reads data/modelfile/testdata/small.hex, which the Go test
writes, and writes data/modelfile/testdata/python.json:

    read     what the library finds in small.hex
    resaved  that content as the library saves it
    made     a model put together and sealed here
    plain    a file with every dtype and without metadata

The library writes metadata in another order every time, so resaved and made change their bytes from
run to run, but not their content; plain stays the same and is compared byte by byte.
"""

import hashlib
import json
import pathlib
import platform
import struct

import numpy
import safetensors
from safetensors.numpy import load, save

FOLDER = pathlib.Path("data/modelfile/testdata")
COMMAND = "/tmp/safetensors/bin/python peers/modelfile.py"
DTYPES = {"F64": "float64", "F32": "float32", "I64": "int64", "I32": "int32", "I16": "int16", "I8": "int8",
          "U64": "uint64", "U32": "uint32", "U16": "uint16", "U8": "uint8"}
NAMES = {name: dtype for dtype, name in DTYPES.items()}


def metadata_of(data):
    (length,) = struct.unpack("<Q", data[:8])
    return json.loads(data[8:8 + length]).get("__metadata__", {})


def checksum(tensors, metadata):
    """The SHA-256 of the content, as data/modelfile/doc.go has it."""
    digest = hashlib.sha256()

    def number(x):
        digest.update(struct.pack("<Q", x))

    def sized(data):
        number(len(data))
        digest.update(data)

    metadata = {key: value for key, value in metadata.items() if key != "sha256"}
    number(len(metadata))
    for key in sorted(metadata, key=str.encode):
        sized(key.encode())
        sized(metadata[key].encode())
    number(len(tensors))
    for name in sorted(tensors, key=str.encode):
        tensor = tensors[name]
        sized(name.encode())
        sized(NAMES[tensor.dtype.name].encode())
        number(tensor.ndim)
        for dim in tensor.shape:
            number(dim)
        sized(tensor.tobytes())
    return digest.hexdigest()


def model(tensors, metadata):
    metadata = {"format": "fubini", "format_version": "1", **metadata}
    return save(tensors, {**metadata, "sha256": checksum(tensors, metadata)})


def strings(name, texts):
    encoded = [text.encode() for text in texts]
    return {name: numpy.frombuffer(b"".join(encoded), "uint8"),
            name + ".offsets": numpy.cumsum([0] + [len(text) for text in encoded], dtype="int64")}


def main():
    text = (FOLDER / "small.hex").read_text()
    small = bytes.fromhex("".join(line for line in text.splitlines() if not line.startswith("#")))
    tensors, metadata = load(small), metadata_of(small)
    assert checksum(tensors, metadata) == metadata["sha256"]

    made = {"u": numpy.array([0.5, -1.25, 3]), "W": numpy.arange(6, dtype="float32").reshape(3, 2), "none": numpy.zeros((3, 0)),
            **strings("items.ids", ["a", "ß", ""])}
    plain = {name: numpy.array([[0, 1, 2], [3, 4, 100]], name) for name in NAMES}
    plain |= {"a": numpy.array([7], "uint8"), "scalar": numpy.array(0.5), "none": numpy.zeros((2, 0), "float32")}
    golden = dict(
        command=COMMAND,
        versions=dict(python=platform.python_version(), numpy=numpy.__version__, safetensors=safetensors.__version__),
        input=dict(file="small.hex", sha256=hashlib.sha256(small).hexdigest()),
        read=dict(metadata=metadata, tensors={
            name: dict(dtype=t.dtype.name, shape=t.shape, data=t.ravel().tolist()) for name, t in sorted(tensors.items())}),
        resaved=save(tensors, metadata).hex(),
        made=model(made, {"model": "osm", "seed": "3", "settings": '{"é":"<&>\u2028"}'}).hex(),
        plain=save(plain).hex(),
    )
    with open(FOLDER / "python.json", "w") as out:
        json.dump(golden, out, indent=1, ensure_ascii=False)
        out.write("\n")


if __name__ == "__main__":
    main()
