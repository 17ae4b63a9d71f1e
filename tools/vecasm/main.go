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

// maskFor loads the mask of the last n < 4 lanes of a tail: lane l is on when
// l < n. The table holds four ones followed by four zeros; the mask starts 4-n
// words before the zeros.
var masks Mem

func tailMasks() Mem {
	if masks.Symbol.Name != "" {
		return masks
	}
	masks = GLOBL("tailMasks", RODATA|NOPTR)
	for i := range 4 {
		DATA(i*8, U64(^uint64(0)))
	}
	for i := 4; i < 8; i++ {
		DATA(i*8, U64(0))
	}
	return masks
}

// tail leaves the mask of the remaining elements (n < 4) in a register.
func tailMask(n Register) VecVirtual {
	base, at, mask := GP64(), GP64(), YMM()
	LEAQ(tailMasks(), base)
	MOVQ(U32(4), at)
	SUBQ(n, at)
	VMOVUPD(Mem{Base: base, Index: at, Scale: 8}, mask)
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
	low, high, t := YMM(), YMM(), YMM()
	VXORPD(low, low, low)
	VXORPD(high, high, high)
	Label(label + "eight")
	CMPQ(n, U32(8))
	JL(LabelRef(label + "four"))
	VMOVUPD(Mem{Base: a}, t)
	VMULPD(Mem{Base: b}, t, t)
	VADDPD(t, low, low)
	t2 := YMM()
	VMOVUPD(Mem{Base: a, Disp: 32}, t2)
	VMULPD(Mem{Base: b, Disp: 32}, t2, t2)
	VADDPD(t2, high, high)
	ADDQ(U32(64), a)
	ADDQ(U32(64), b)
	SUBQ(U32(8), n)
	JMP(LabelRef(label + "eight"))

	Label(label + "four")
	CMPQ(n, U32(4))
	JL(LabelRef(label + "lowtail"))
	VMOVUPD(Mem{Base: a}, t)
	VMULPD(Mem{Base: b}, t, t)
	VADDPD(t, low, low)
	ADDQ(U32(32), a)
	ADDQ(U32(32), b)
	SUBQ(U32(4), n)
	TESTQ(n, n)
	JZ(LabelRef(label + "done"))
	mask := tailMask(n)
	VMASKMOVPD(Mem{Base: a}, mask, t)
	VMASKMOVPD(Mem{Base: b}, mask, t2)
	VMULPD(t2, t, t)
	VADDPD(t, high, high)
	JMP(LabelRef(label + "done"))

	Label(label + "lowtail")
	TESTQ(n, n)
	JZ(LabelRef(label + "done"))
	mask = tailMask(n)
	VMASKMOVPD(Mem{Base: a}, mask, t)
	VMASKMOVPD(Mem{Base: b}, mask, t2)
	VMULPD(t2, t, t)
	VADDPD(t, low, low)
	Label(label + "done")
	return sum(low, high)
}

func dot() {
	TEXT("dotAVX2", NOSPLIT, "func(a, b []float64) float64")
	Pragma("noescape")
	Doc("dotAVX2 is the inner product of a and b, as long as a.")
	a, b, n := Load(Param("a").Base(), GP64()), Load(Param("b").Base(), GP64()), Load(Param("a").Len(), GP64())
	s := product("", a, b, n)
	Store(s.AsX(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func dotRows() {
	TEXT("dotRowsAVX2", NOSPLIT, "func(out, a, rows []float64)")
	Pragma("noescape")
	Doc("dotRowsAVX2 writes the inner products of a with as many rows as out is long.")
	out, count := Load(Param("out").Base(), GP64()), Load(Param("out").Len(), GP64())
	a0, n0 := Load(Param("a").Base(), GP64()), Load(Param("a").Len(), GP64())
	row := Load(Param("rows").Base(), GP64())
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
	VZEROUPPER()
	RET()
}

func addTimes() {
	TEXT("addTimesAVX2", NOSPLIT, "func(to, from []float64, factor float64)")
	Pragma("noescape")
	Doc("addTimesAVX2 adds factor times from to to, as long as to.")
	to, from, n := Load(Param("to").Base(), GP64()), Load(Param("from").Base(), GP64()), Load(Param("to").Len(), GP64())
	f := YMM()
	Load(Param("factor"), f.AsX())
	VBROADCASTSD(f.AsX(), f)
	elementwise(n, []Register{to, from}, func(load func(k, disp int) VecVirtual, store func(v VecVirtual, disp int), disp int) {
		t := load(1, disp)
		VMULPD(f, t, t)
		s := load(0, disp)
		VADDPD(t, s, s)
		store(s, disp)
	})
	VZEROUPPER()
	RET()
}

func scale() {
	TEXT("scaleAVX2", NOSPLIT, "func(values []float64, factor float64)")
	Pragma("noescape")
	Doc("scaleAVX2 multiplies every value by a factor.")
	to, n := Load(Param("values").Base(), GP64()), Load(Param("values").Len(), GP64())
	f := YMM()
	Load(Param("factor"), f.AsX())
	VBROADCASTSD(f.AsX(), f)
	elementwise(n, []Register{to}, func(load func(k, disp int) VecVirtual, store func(v VecVirtual, disp int), disp int) {
		t := load(0, disp)
		VMULPD(f, t, t)
		store(t, disp)
	})
	VZEROUPPER()
	RET()
}

// elementwise emits body for eight elements at a time, then four, then the rest
// through a mask. The first array is the one that is written.
func elementwise(n Register, arrays []Register, body func(load func(k, disp int) VecVirtual, store func(v VecVirtual, disp int), disp int)) {
	load := func(k, disp int) VecVirtual {
		t := YMM()
		VMOVUPD(Mem{Base: arrays[k], Disp: disp}, t)
		return t
	}
	store := func(v VecVirtual, disp int) { VMOVUPD(v, Mem{Base: arrays[0], Disp: disp}) }
	advance := func(elements uint32) {
		for _, a := range arrays {
			ADDQ(U32(8*elements), a)
		}
		SUBQ(U32(elements), n)
	}
	Label("eight")
	CMPQ(n, U32(8))
	JL(LabelRef("four"))
	body(load, store, 0)
	body(load, store, 32)
	advance(8)
	JMP(LabelRef("eight"))
	Label("four")
	CMPQ(n, U32(4))
	JL(LabelRef("tail"))
	body(load, store, 0)
	advance(4)
	Label("tail")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	mask := tailMask(n)
	body(func(k, disp int) VecVirtual {
		t := YMM()
		VMASKMOVPD(Mem{Base: arrays[k], Disp: disp}, mask, t)
		return t
	}, func(v VecVirtual, disp int) { VMASKMOVPD(v, mask, Mem{Base: arrays[0], Disp: disp}) }, 0)
	Label("done")
}

// addRows holds up to sixteen columns in registers while it runs down the rows.
func addRows() {
	TEXT("addRowsAVX2", NOSPLIT, "func(to, rows, factors []float64)")
	Pragma("noescape")
	Doc("addRowsAVX2 adds to to the rows, as many as there are factors, each times its factor.")
	to, n := Load(Param("to").Base(), GP64()), Load(Param("to").Len(), GP64())
	rows := Load(Param("rows").Base(), GP64())
	factors, count := Load(Param("factors").Base(), GP64()), Load(Param("factors").Len(), GP64())
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
	VZEROUPPER()
	RET()
}

// panels emits the products of some vectors with some panels of sixteen rows. All
// sums stay in registers. Vectors stand k elements apart, outputs stride apart,
// panels 16 k apart.
func panels(vectors, width int) {
	name := fmt.Sprintf("panels%dx%dFMA", vectors, width)
	TEXT(name, NOSPLIT, "func(out, base, panels, vectors *float32, k, stride int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s writes base plus the products of %d vectors with %d panels of sixteen rows.", name, vectors, width))
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
	apart := GP64() // bytes from vector to vector
	MOVQ(k, apart)
	SHLQ(U8(2), apart)
	next := GP64() // and from panel to panel
	MOVQ(k, next)
	SHLQ(U8(6), next)
	rest := []Register{vector}
	for v := 1; v < vectors; v++ {
		at := GP64()
		MOVQ(rest[v-1], at)
		ADDQ(apart, at)
		rest = append(rest, at)
	}
	places := []Register{panel}
	for w := 1; w < width; w++ {
		at := GP64()
		MOVQ(places[w-1], at)
		ADDQ(next, at)
		places = append(places, at)
	}
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
	VZEROUPPER()
	RET()
}
