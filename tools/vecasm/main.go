// Vecasm writes the assembly of core/vec for amd64 (AVX2). Run it from the root:
//
//	go generate ./core/vec
//
// Every kernel of training (float64) does the additions of its plain twin in the
// same order, without fused multiply-add, so that both give the same bits. The
// kernels of scoring (float32) are for ranking and may fuse.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!purego")
	dot()
	dotRows()
	addTimes()
	addRows()
	scale()
	panels(4, 1)
	panels(1, 4)
	Generate()
}

// kernel begins a function, finish ends it.
func kernel(name, signature, doc string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(doc)
}

func finish() {
	VZEROUPPER()
	RET()
}

// base loads where a slice begins, length how long it is.
func base(name string) Register   { return Load(Param(name).Base(), GP64()) }
func length(name string) Register { return Load(Param(name).Len(), GP64()) }

// broadcast loads an argument into all lanes.
func broadcast(name string) VecVirtual {
	f := YMM()
	Load(Param(name), f.AsX())
	VBROADCASTSD(f.AsX(), f)
	return f
}

// masks holds four ones followed by four zeros. The mask of the last n < 4 lanes starts 4-n words before the zeros.
var masks Mem

// tailMask leaves the mask of the remaining elements (n < 4) in a register: lane l is on when l < n.
func tailMask(n Register) VecVirtual {
	if masks.Symbol.Name == "" {
		masks = GLOBL("tailMasks", RODATA|NOPTR)
		for i := range 8 {
			DATA(i*8, U64(-uint64(1-i/4)))
		}
	}
	table, at, mask := GP64(), GP64(), YMM()
	LEAQ(masks, table)
	MOVQ(U32(4), at)
	SUBQ(n, at)
	VMOVUPD(Mem{Base: table, Index: at, Scale: 8}, mask)
	return mask
}

// sum adds eight columns, four in each of two registers, as the plain twin does:
// ((0+4)+(2+6)) + ((1+5)+(3+7)).
func sum(low, high VecVirtual) VecVirtual {
	VADDPD(high, low, low)
	upper := XMM()
	VEXTRACTF128(U8(1), low, upper)
	VADDPD(upper, low.AsX(), low.AsX())
	VUNPCKHPD(low.AsX(), low.AsX(), upper)
	VADDSD(upper, low.AsX(), low.AsX())
	return low
}

// product emits the columns of one inner product of n elements at a and b. It
// consumes the three registers.
func product(label string, a, b, n Register) VecVirtual {
	low, high, t, t2 := YMM(), YMM(), YMM(), YMM()
	add := func(to, t VecVirtual, disp int) {
		VMOVUPD(Mem{Base: a, Disp: disp}, t)
		VMULPD(Mem{Base: b, Disp: disp}, t, t)
		VADDPD(t, to, to)
	}
	advance := func(elements uint32) {
		ADDQ(U32(8*elements), a)
		ADDQ(U32(8*elements), b)
		SUBQ(U32(elements), n)
	}
	addTail := func(to VecVirtual) {
		TESTQ(n, n)
		JZ(LabelRef(label + "done"))
		mask := tailMask(n)
		VMASKMOVPD(Mem{Base: a}, mask, t)
		VMASKMOVPD(Mem{Base: b}, mask, t2)
		VMULPD(t2, t, t)
		VADDPD(t, to, to)
	}
	VXORPD(low, low, low)
	VXORPD(high, high, high)
	Label(label + "eight")
	CMPQ(n, U32(8))
	JL(LabelRef(label + "four"))
	add(low, t, 0)
	add(high, t2, 32)
	advance(8)
	JMP(LabelRef(label + "eight"))

	Label(label + "four")
	CMPQ(n, U32(4))
	JL(LabelRef(label + "lowtail"))
	add(low, t, 0)
	advance(4)
	addTail(high)
	JMP(LabelRef(label + "done"))

	Label(label + "lowtail")
	addTail(low)
	Label(label + "done")
	return sum(low, high)
}

func dot() {
	kernel("dotAVX2", "func(a, b []float64) float64", "dotAVX2 is the inner product of a and b, as long as a.")
	s := product("", base("a"), base("b"), length("a"))
	Store(s.AsX(), ReturnIndex(0))
	finish()
}

func dotRows() {
	kernel("dotRowsAVX2", "func(out, a, rows []float64)", "dotRowsAVX2 writes the inner products of a with as many rows as out is long.")
	out, count := base("out"), length("out")
	a0, n0 := base("a"), length("a")
	row := base("rows")
	Label("next")
	TESTQ(count, count)
	JZ(LabelRef("end"))
	a, n, b := GP64(), GP64(), GP64()
	MOVQ(a0, a)
	MOVQ(n0, n)
	MOVQ(row, b)
	s := product("row", a, b, n)
	VMOVSD(s.AsX(), Mem{Base: out})
	LEAQ(Mem{Base: row, Index: n0, Scale: 8}, row)
	ADDQ(U32(8), out)
	DECQ(count)
	JMP(LabelRef("next"))
	Label("end")
	finish()
}

func addTimes() {
	kernel("addTimesAVX2", "func(to, from []float64, factor float64)", "addTimesAVX2 adds factor times from to to, as long as to.")
	to, from, n := base("to"), base("from"), length("to")
	f := broadcast("factor")
	elementwise(n, []Register{to, from}, func(load func(k int) VecVirtual) VecVirtual {
		t := load(1)
		VMULPD(f, t, t)
		s := load(0)
		VADDPD(t, s, s)
		return s
	})
	finish()
}

func scale() {
	kernel("scaleAVX2", "func(values []float64, factor float64)", "scaleAVX2 multiplies every value by a factor.")
	to, n := base("values"), length("values")
	f := broadcast("factor")
	elementwise(n, []Register{to}, func(load func(k int) VecVirtual) VecVirtual {
		t := load(0)
		VMULPD(f, t, t)
		return t
	})
	finish()
}

// elementwise emits body for eight elements at a time, then four, then the rest
// through a mask. Body loads from the k-th array; what it returns goes to the first.
func elementwise(n Register, arrays []Register, body func(load func(k int) VecVirtual) VecVirtual) {
	four := func(disp int) {
		v := body(func(k int) VecVirtual {
			t := YMM()
			VMOVUPD(Mem{Base: arrays[k], Disp: disp}, t)
			return t
		})
		VMOVUPD(v, Mem{Base: arrays[0], Disp: disp})
	}
	advance := func(elements uint32) {
		for _, a := range arrays {
			ADDQ(U32(8*elements), a)
		}
		SUBQ(U32(elements), n)
	}
	Label("eight")
	CMPQ(n, U32(8))
	JL(LabelRef("four"))
	four(0)
	four(32)
	advance(8)
	JMP(LabelRef("eight"))
	Label("four")
	CMPQ(n, U32(4))
	JL(LabelRef("tail"))
	four(0)
	advance(4)
	Label("tail")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	mask := tailMask(n)
	v := body(func(k int) VecVirtual {
		t := YMM()
		VMASKMOVPD(Mem{Base: arrays[k]}, mask, t)
		return t
	})
	VMASKMOVPD(v, mask, Mem{Base: arrays[0]})
	Label("done")
}

// addRows holds up to sixteen columns in registers while it runs down the rows.
func addRows() {
	kernel("addRowsAVX2", "func(to, rows, factors []float64)", "addRowsAVX2 adds to to the rows, as many as there are factors, each times its factor.")
	to, n := base("to"), length("to")
	rows := base("rows")
	factors, count := base("factors"), length("factors")
	stride := GP64()
	MOVQ(n, stride)
	SHLQ(U8(3), stride)
	down := func(label string, registers int, load func(m Mem, v VecVirtual), store func(v VecVirtual, m Mem)) {
		sums := make([]VecVirtual, registers)
		for k := range sums {
			sums[k] = YMM()
			load(Mem{Base: to, Disp: 32 * k}, sums[k])
		}
		row, factor, left := GP64(), GP64(), GP64()
		MOVQ(rows, row)
		MOVQ(factors, factor)
		MOVQ(count, left)
		Label(label + "row")
		TESTQ(left, left)
		JZ(LabelRef(label + "store"))
		f := YMM()
		VBROADCASTSD(Mem{Base: factor}, f)
		for k := range sums {
			t := YMM()
			load(Mem{Base: row, Disp: 32 * k}, t)
			VMULPD(f, t, t)
			VADDPD(t, sums[k], sums[k])
		}
		ADDQ(stride, row)
		ADDQ(U32(8), factor)
		DECQ(left)
		JMP(LabelRef(label + "row"))
		Label(label + "store")
		for k := range sums {
			store(sums[k], Mem{Base: to, Disp: 32 * k})
		}
	}
	move := func(m Mem, v VecVirtual) { VMOVUPD(m, v) }
	put := func(v VecVirtual, m Mem) { VMOVUPD(v, m) }
	for _, registers := range []int{4, 2, 1} {
		label := fmt.Sprintf("by%d", 4*registers)
		Label(label)
		CMPQ(n, U32(4*uint32(registers)))
		JL(LabelRef(label + "end"))
		down(label, registers, move, put)
		ADDQ(U32(32*uint32(registers)), to)
		ADDQ(U32(32*uint32(registers)), rows)
		SUBQ(U32(4*uint32(registers)), n)
		JMP(LabelRef(label))
		Label(label + "end")
	}
	TESTQ(n, n)
	JZ(LabelRef("done"))
	mask := tailMask(n)
	down("tail", 1, func(m Mem, v VecVirtual) { VMASKMOVPD(m, mask, v) }, func(v VecVirtual, m Mem) { VMASKMOVPD(v, mask, m) })
	Label("done")
	finish()
}

// panels emits the products of some vectors with some panels of sixteen rows. All
// sums stay in registers. Vectors stand k elements apart, outputs stride apart,
// panels 16 k apart.
func panels(vectors, width int) {
	name := fmt.Sprintf("panels%dx%dFMA", vectors, width)
	kernel(name, "func(out, base, panels, vectors *float32, k, stride int)", fmt.Sprintf("%s writes base plus the products of %d vectors with %d panels of sixteen rows.", name, vectors, width))
	out, base := Load(Param("out"), GP64()), Load(Param("base"), GP64())
	panel, vector := Load(Param("panels"), GP64()), Load(Param("vectors"), GP64())
	k, stride := Load(Param("k"), GP64()), Load(Param("stride"), GP64())
	sums := make([][]VecVirtual, vectors)
	for v := range sums {
		for r := range 2 * width {
			s := YMM()
			VMOVUPS(Mem{Base: base, Disp: 32 * r}, s)
			sums[v] = append(sums[v], s)
		}
	}
	apart := func(first Register, count int, shift uint64) []Register { // places k << shift bytes apart
		distance := GP64()
		MOVQ(k, distance)
		SHLQ(U8(shift), distance)
		places := []Register{first}
		for i := 1; i < count; i++ {
			at := GP64()
			MOVQ(places[i-1], at)
			ADDQ(distance, at)
			places = append(places, at)
		}
		return places
	}
	rest, places := apart(vector, vectors, 2), apart(panel, width, 6) // vectors of k float32, panels of sixteen such rows
	left := GP64()
	MOVQ(k, left)
	Label("element")
	TESTQ(left, left)
	JZ(LabelRef("store"))
	factors := make([]VecVirtual, vectors)
	for v := range factors {
		factors[v] = YMM()
		VBROADCASTSS(Mem{Base: rest[v]}, factors[v])
		ADDQ(U32(4), rest[v])
	}
	for w := range width {
		for half := range 2 {
			row := YMM()
			VMOVUPS(Mem{Base: places[w], Disp: 32 * half}, row)
			for v := range factors {
				VFMADD231PS(row, factors[v], sums[v][2*w+half])
			}
		}
		ADDQ(U32(64), places[w])
	}
	DECQ(left)
	JMP(LabelRef("element"))
	Label("store")
	SHLQ(U8(2), stride)
	for v := range sums {
		for r, s := range sums[v] {
			VMOVUPS(s, Mem{Base: out, Disp: 32 * r})
		}
		if v+1 < vectors {
			ADDQ(stride, out)
		}
	}
	finish()
}
