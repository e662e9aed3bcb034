// SPDX-License-Identifier: MIT
// As much of protobuf's wire format as an ONNX model needs, and the few ONNX messages that a graph is made of.
// Field numbers are those of onnx.proto3.

const lengthDelimited = 2;
const fixed32 = 5;

function varint(value) {
  const bytes = [];
  let rest = BigInt(value);
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

const tag = (field, wireType) => varint((field << 3) | wireType);
const integer = (field, value) => Buffer.concat([tag(field, 0), varint(BigInt.asUintN(64, BigInt(value)))]);
const bytes = (field, value) => Buffer.concat([tag(field, lengthDelimited), varint(value.length), value]);
const text = (field, value) => bytes(field, Buffer.from(value));
const message = (field, parts) => bytes(field, Buffer.concat(parts));

function float(field, value) {
  const number = Buffer.alloc(4);
  number.writeFloatLE(value);
  return Buffer.concat([tag(field, fixed32), number]);
}

export const elementType = { float32: 1, int64: 7 };
const attributeType = { float: 1, int: 2, ints: 7 };

function attribute(name, value) {
  if (Array.isArray(value)) {
    return [text(1, name), ...value.map((entry) => integer(8, entry)), integer(20, attributeType.ints)];
  }
  if (Number.isInteger(value)) return [text(1, name), integer(3, value), integer(20, attributeType.int)];
  return [text(1, name), float(2, value), integer(20, attributeType.float)];
}

/** A NodeProto. Attributes: a list is ints, a whole number int, any other float. */
export function node(type, inputs, output, attributes = {}) {
  return Buffer.concat([
    ...inputs.map((input) => text(1, input)),
    text(2, output),
    text(3, output),
    text(4, type),
    ...Object.entries(attributes).map(([name, value]) => message(5, attribute(name, value))),
  ]);
}

/** A TensorProto of a Float32Array or BigInt64Array. */
export function tensor(name, shape, data) {
  const type = data instanceof Float32Array ? elementType.float32 : elementType.int64;
  return Buffer.concat([
    ...shape.map((size) => integer(1, size)),
    integer(2, type),
    text(8, name),
    bytes(9, Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
  ]);
}

/** A ValueInfoProto; a size that is a name may be any. */
export function value(name, type, shape) {
  const sizes = shape.map((size) => message(1, [typeof size === 'string' ? text(2, size) : integer(1, size)]));
  const tensorType = message(1, [integer(1, type), message(2, sizes)]);
  return Buffer.concat([text(1, name), message(2, [tensorType])]);
}

/** A ModelProto over a graph. */
export function model({ name, nodes, initializers, inputs, outputs, operatorSet }) {
  const graph = [
    ...nodes.map((part) => bytes(1, part)),
    text(2, name),
    ...initializers.map((part) => bytes(5, part)),
    ...inputs.map((part) => bytes(11, part)),
    ...outputs.map((part) => bytes(12, part)),
  ];
  const irVersion = 8;
  return Buffer.concat([integer(1, irVersion), message(7, graph), message(8, [text(1, ''), integer(2, operatorSet)])]);
}
