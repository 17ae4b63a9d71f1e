//go:build amd64 && !purego

#include "textflag.h"

// The kernels of training (float64) do the additions of their plain twins in the same order, without fused
// multiply-add, so that both give the same bits. The kernels of scoring (float32) are for ranking and may fuse.
// A macro names all registers that it reads or spoils.

// tailMasks holds four lanes that are on, then four that are off: the mask of n < 4 elements begins 4-n lanes in.
DATA tailMasks<>+0(SB)/8, $-1
DATA tailMasks<>+8(SB)/8, $-1
DATA tailMasks<>+16(SB)/8, $-1
DATA tailMasks<>+24(SB)/8, $-1
DATA tailMasks<>+32(SB)/8, $0
DATA tailMasks<>+40(SB)/8, $0
DATA tailMasks<>+48(SB)/8, $0
DATA tailMasks<>+56(SB)/8, $0
GLOBL tailMasks<>(SB), RODATA|NOPTR, $64

// TAIL_MASK leaves in mask the lanes of the last n < 4 elements.
#define TAIL_MASK(n, table, at, mask) \
	LEAQ    tailMasks<>+0(SB), table; \
	MOVQ    $4, at; \
	SUBQ    n, at; \
	VMOVUPD (table)(at*8), mask

// ADD_PRODUCTS adds the products of four elements to sum.
#define ADD_PRODUCTS(disp, a, b, t, sum) \
	VMOVUPD disp(a), t; \
	VMULPD  disp(b), t, t; \
	VADDPD  t, sum, sum

// ADD_TAIL adds the products of the last n < 4 elements to sum.
#define ADD_TAIL(a, b, n, table, at, sum) \
	TESTQ      n, n; \
	JZ         done; \
	TAIL_MASK(n, table, at, Y3); \
	VMASKMOVPD (a), Y3, Y2; \
	VMASKMOVPD (b), Y3, Y3; \
	VMULPD     Y3, Y2, Y2; \
	VADDPD     Y2, sum, sum

// PRODUCT leaves the inner product of the n elements at a and b in X0. It adds in eight columns, four in Y0 and four
// in Y1, and then these: ((0+4)+(2+6)) + ((1+5)+(3+7)). It consumes a, b and n.
#define PRODUCT(a, b, n, table, at) \
	VXORPD       Y0, Y0, Y0; \
	VXORPD       Y1, Y1, Y1; \
eight: \
	CMPQ         n, $8; \
	JL           four; \
	ADD_PRODUCTS(0, a, b, Y2, Y0); \
	ADD_PRODUCTS(32, a, b, Y3, Y1); \
	ADDQ         $64, a; \
	ADDQ         $64, b; \
	SUBQ         $8, n; \
	JMP          eight; \
four: \
	CMPQ         n, $4; \
	JL           lowtail; \
	ADD_PRODUCTS(0, a, b, Y2, Y0); \
	ADDQ         $32, a; \
	ADDQ         $32, b; \
	SUBQ         $4, n; \
	ADD_TAIL(a, b, n, table, at, Y1); \
	JMP          done; \
lowtail: \
	ADD_TAIL(a, b, n, table, at, Y0); \
done: \
	VADDPD       Y1, Y0, Y0; \
	VEXTRACTF128 $1, Y0, X1; \
	VADDPD       X1, X0, X0; \
	VUNPCKHPD    X0, X0, X1; \
	VADDSD       X1, X0, X0

// func dotAVX2(a, b []float64) float64
TEXT ·dotAVX2(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), AX
	MOVQ b_base+24(FP), CX
	MOVQ a_len+8(FP), DX
	PRODUCT(AX, CX, DX, BX, SI)
	MOVSD X0, ret+48(FP)
	VZEROUPPER
	RET

// func dotRowsAVX2(out, a, rows []float64)
TEXT ·dotRowsAVX2(SB), NOSPLIT, $0-72
	MOVQ out_base+0(FP), AX
	MOVQ out_len+8(FP), CX
	MOVQ a_base+24(FP), DX
	MOVQ a_len+32(FP), BX
	MOVQ rows_base+48(FP), SI

next:
	TESTQ CX, CX
	JZ    end
	MOVQ  DX, DI
	MOVQ  BX, R8
	MOVQ  SI, R9
	PRODUCT(DI, R9, R8, R10, R11)
	VMOVSD X0, (AX)
	LEAQ  (SI)(BX*8), SI
	ADDQ  $8, AX
	DECQ  CX
	JMP   next

end:
	VZEROUPPER
	RET

// ADD_TIMES adds Y0 times four elements at from to those at to.
#define ADD_TIMES(disp, to, from) \
	VMOVUPD disp(from), Y1; \
	VMULPD  Y0, Y1, Y1; \
	VMOVUPD disp(to), Y2; \
	VADDPD  Y1, Y2, Y2; \
	VMOVUPD Y2, disp(to)

// func addTimesAVX2(to, from []float64, factor float64)
TEXT ·addTimesAVX2(SB), NOSPLIT, $0-56
	MOVQ         to_base+0(FP), AX
	MOVQ         from_base+24(FP), CX
	MOVQ         to_len+8(FP), DX
	MOVSD        factor+48(FP), X0
	VBROADCASTSD X0, Y0

eight:
	CMPQ DX, $8
	JL   four
	ADD_TIMES(0, AX, CX)
	ADD_TIMES(32, AX, CX)
	ADDQ $64, AX
	ADDQ $64, CX
	SUBQ $8, DX
	JMP  eight

four:
	CMPQ DX, $4
	JL   tail
	ADD_TIMES(0, AX, CX)
	ADDQ $32, AX
	ADDQ $32, CX
	SUBQ $4, DX

tail:
	TESTQ      DX, DX
	JZ         done
	TAIL_MASK(DX, BX, SI, Y1)
	VMASKMOVPD (CX), Y1, Y2
	VMULPD     Y0, Y2, Y2
	VMASKMOVPD (AX), Y1, Y0
	VADDPD     Y2, Y0, Y0
	VMASKMOVPD Y0, Y1, (AX)

done:
	VZEROUPPER
	RET

// SCALE multiplies four elements by Y0.
#define SCALE(disp, values) \
	VMOVUPD disp(values), Y1; \
	VMULPD  Y0, Y1, Y1; \
	VMOVUPD Y1, disp(values)

// func scaleAVX2(values []float64, factor float64)
TEXT ·scaleAVX2(SB), NOSPLIT, $0-32
	MOVQ         values_base+0(FP), AX
	MOVQ         values_len+8(FP), CX
	MOVSD        factor+24(FP), X0
	VBROADCASTSD X0, Y0

eight:
	CMPQ CX, $8
	JL   four
	SCALE(0, AX)
	SCALE(32, AX)
	ADDQ $64, AX
	SUBQ $8, CX
	JMP  eight

four:
	CMPQ CX, $4
	JL   tail
	SCALE(0, AX)
	ADDQ $32, AX
	SUBQ $4, CX

tail:
	TESTQ      CX, CX
	JZ         done
	TAIL_MASK(CX, DX, BX, Y1)
	VMASKMOVPD (AX), Y1, Y2
	VMULPD     Y0, Y2, Y2
	VMASKMOVPD Y2, Y1, (AX)

done:
	VZEROUPPER
	RET

// EXP replaces the four numbers in Y0 by their exponentials, as expPlain does. It spoils Y1 to Y13.
#define EXP(table) \
	VBROADCASTSD 16(table), Y1; \
	VMULPD       Y0, Y1, Y1; \
	VBROADCASTSD 24(table), Y2; \
	VADDPD       Y2, Y1, Y3; \
	VSUBPD       Y2, Y3, Y4; \
	VBROADCASTSD 32(table), Y1; \
	VMULPD       Y1, Y4, Y1; \
	VSUBPD       Y1, Y0, Y1; \
	VBROADCASTSD 40(table), Y2; \
	VMULPD       Y2, Y4, Y2; \
	VSUBPD       Y2, Y1, Y1; \
	VMULPD       Y1, Y1, Y6; \
	VMULPD       Y6, Y6, Y7; \
	VBROADCASTSD 56(table), Y8; \
	VMULPD       Y1, Y8, Y8; \
	VBROADCASTSD 48(table), Y5; \
	VADDPD       Y8, Y5, Y8; \
	VBROADCASTSD 72(table), Y9; \
	VMULPD       Y1, Y9, Y9; \
	VBROADCASTSD 64(table), Y5; \
	VADDPD       Y9, Y5, Y9; \
	VBROADCASTSD 88(table), Y10; \
	VMULPD       Y1, Y10, Y10; \
	VBROADCASTSD 80(table), Y5; \
	VADDPD       Y10, Y5, Y10; \
	VBROADCASTSD 104(table), Y11; \
	VMULPD       Y1, Y11, Y11; \
	VBROADCASTSD 96(table), Y5; \
	VADDPD       Y11, Y5, Y11; \
	VBROADCASTSD 120(table), Y12; \
	VMULPD       Y1, Y12, Y12; \
	VBROADCASTSD 112(table), Y5; \
	VADDPD       Y12, Y5, Y12; \
	VBROADCASTSD 136(table), Y13; \
	VMULPD       Y1, Y13, Y13; \
	VBROADCASTSD 128(table), Y5; \
	VADDPD       Y13, Y5, Y13; \
	VMULPD       Y6, Y9, Y9; \
	VADDPD       Y9, Y8, Y8; \
	VMULPD       Y6, Y11, Y11; \
	VADDPD       Y11, Y10, Y10; \
	VMULPD       Y7, Y10, Y10; \
	VADDPD       Y10, Y8, Y8; \
	VMULPD       Y6, Y13, Y13; \
	VADDPD       Y13, Y12, Y12; \
	VBROADCASTSD 144(table), Y5; \
	VMULPD       Y7, Y5, Y5; \
	VADDPD       Y5, Y12, Y12; \
	VMULPD       Y7, Y7, Y7; \
	VMULPD       Y7, Y12, Y12; \
	VADDPD       Y12, Y8, Y2; \
	VPSLLQ       $52, Y3, Y3; \
	VPADDQ       Y3, Y2, Y2; \
	VBROADCASTSD (table), Y5; \
	VCMPPD       $1, Y5, Y0, Y4; \
	VANDNPD      Y2, Y4, Y2; \
	VBROADCASTSD 8(table), Y5; \
	VCMPPD       $14, Y5, Y0, Y4; \
	VMOVUPD      infinities<>+0(SB), Y5; \
	VBLENDVPD    Y4, Y5, Y2, Y2; \
	VCMPPD       $3, Y0, Y0, Y4; \
	VBLENDVPD    Y4, Y0, Y2, Y0

DATA infinities<>+0(SB)/8, $0x7ff0000000000000
DATA infinities<>+8(SB)/8, $0x7ff0000000000000
DATA infinities<>+16(SB)/8, $0x7ff0000000000000
DATA infinities<>+24(SB)/8, $0x7ff0000000000000
GLOBL infinities<>(SB), RODATA|NOPTR, $32

// func expAVX2(values []float64)
TEXT ·expAVX2(SB), NOSPLIT, $0-24
	MOVQ values_base+0(FP), AX
	MOVQ values_len+8(FP), CX
	LEAQ ·expConstants(SB), DI

four:
	CMPQ    CX, $4
	JL      tail
	VMOVUPD (AX), Y0
	EXP(DI)
	VMOVUPD Y0, (AX)
	ADDQ    $32, AX
	SUBQ    $4, CX
	JMP     four

tail:
	TESTQ      CX, CX
	JZ         done
	TAIL_MASK(CX, DX, BX, Y14)
	VMASKMOVPD (AX), Y14, Y0
	EXP(DI)
	VMASKMOVPD Y0, Y14, (AX)

done:
	VZEROUPPER
	RET

// ADD_ROW adds factor times four elements of a row to sum.
#define ADD_ROW(disp, row, factor, t, sum) \
	VMOVUPD disp(row), t; \
	VMULPD  factor, t, t; \
	VADDPD  t, sum, sum

// FIRST_ROW puts R8 at the first row, R9 at its factor and R10 to the number of rows; NEXT_ROW goes on.
#define FIRST_ROW \
	MOVQ DX, R8; \
	MOVQ BX, R9; \
	MOVQ SI, R10

#define NEXT_ROW \
	ADDQ DI, R8; \
	ADDQ $8, R9; \
	DECQ R10

// func addRowsAVX2(to, rows, factors []float64)
// It holds up to twenty columns in registers while it runs down the rows. DI is the bytes of a row.
TEXT ·addRowsAVX2(SB), NOSPLIT, $0-72
	MOVQ to_base+0(FP), AX
	MOVQ to_len+8(FP), CX
	MOVQ rows_base+24(FP), DX
	MOVQ factors_base+48(FP), BX
	MOVQ factors_len+56(FP), SI
	MOVQ CX, DI
	SHLQ $3, DI

sixteen:
	CMPQ    CX, $20
	JEQ     twenty
	CMPQ    CX, $16
	JL      eight
	VMOVUPD (AX), Y0
	VMOVUPD 32(AX), Y1
	VMOVUPD 64(AX), Y2
	VMOVUPD 96(AX), Y3
	FIRST_ROW

sixteenrow:
	TESTQ        R10, R10
	JZ           sixteenstore
	VBROADCASTSD (R9), Y4
	ADD_ROW(0, R8, Y4, Y5, Y0)
	ADD_ROW(32, R8, Y4, Y5, Y1)
	ADD_ROW(64, R8, Y4, Y5, Y2)
	ADD_ROW(96, R8, Y4, Y5, Y3)
	NEXT_ROW
	JMP          sixteenrow

sixteenstore:
	VMOVUPD Y0, (AX)
	VMOVUPD Y1, 32(AX)
	VMOVUPD Y2, 64(AX)
	VMOVUPD Y3, 96(AX)
	ADDQ    $128, AX
	ADDQ    $128, DX
	SUBQ    $16, CX
	JMP     sixteen

twenty:
	VMOVUPD (AX), Y0
	VMOVUPD 32(AX), Y1
	VMOVUPD 64(AX), Y2
	VMOVUPD 96(AX), Y3
	VMOVUPD 128(AX), Y6
	FIRST_ROW

twentyrow:
	TESTQ        R10, R10
	JZ           twentystore
	VBROADCASTSD (R9), Y4
	ADD_ROW(0, R8, Y4, Y5, Y0)
	ADD_ROW(32, R8, Y4, Y7, Y1)
	ADD_ROW(64, R8, Y4, Y8, Y2)
	ADD_ROW(96, R8, Y4, Y9, Y3)
	ADD_ROW(128, R8, Y4, Y10, Y6)
	NEXT_ROW
	JMP          twentyrow

twentystore:
	VMOVUPD Y0, (AX)
	VMOVUPD Y1, 32(AX)
	VMOVUPD Y2, 64(AX)
	VMOVUPD Y3, 96(AX)
	VMOVUPD Y6, 128(AX)
	VZEROUPPER
	RET

eight:
	CMPQ    CX, $8
	JL      four
	VMOVUPD (AX), Y0
	VMOVUPD 32(AX), Y1
	FIRST_ROW

eightrow:
	TESTQ        R10, R10
	JZ           eightstore
	VBROADCASTSD (R9), Y2
	ADD_ROW(0, R8, Y2, Y3, Y0)
	ADD_ROW(32, R8, Y2, Y3, Y1)
	NEXT_ROW
	JMP          eightrow

eightstore:
	VMOVUPD Y0, (AX)
	VMOVUPD Y1, 32(AX)
	ADDQ    $64, AX
	ADDQ    $64, DX
	SUBQ    $8, CX
	JMP     eight

four:
	CMPQ    CX, $4
	JL      tail
	VMOVUPD (AX), Y0
	FIRST_ROW

fourrow:
	TESTQ        R10, R10
	JZ           fourstore
	VBROADCASTSD (R9), Y1
	ADD_ROW(0, R8, Y1, Y2, Y0)
	NEXT_ROW
	JMP          fourrow

fourstore:
	VMOVUPD Y0, (AX)
	ADDQ    $32, AX
	ADDQ    $32, DX
	SUBQ    $4, CX
	JMP     four

tail:
	TESTQ      CX, CX
	JZ         done
	TAIL_MASK(CX, R8, R9, Y0)
	VMASKMOVPD (AX), Y0, Y1
	FIRST_ROW

tailrow:
	TESTQ        R10, R10
	JZ           tailstore
	VBROADCASTSD (R9), Y2
	VMASKMOVPD   (R8), Y0, Y3
	VMULPD       Y2, Y3, Y3
	VADDPD       Y3, Y1, Y1
	NEXT_ROW
	JMP          tailrow

tailstore:
	VMASKMOVPD Y1, Y0, (AX)

done:
	VZEROUPPER
	RET

// APART puts b, c and d at places distance bytes apart behind a.
#define APART(distance, a, b, c, d) \
	MOVQ a, b; \
	ADDQ distance, b; \
	MOVQ b, c; \
	ADDQ distance, c; \
	MOVQ c, d; \
	ADDQ distance, d

// FACTOR loads the next element of a vector into all lanes.
#define FACTOR(vector, lanes) \
	VBROADCASTSS (vector), lanes; \
	ADDQ         $4, vector

// FOUR_VECTORS adds eight rows of the panel times the elements of four vectors.
#define FOUR_VECTORS(disp, sum0, sum1, sum2, sum3) \
	VMOVUPS     disp(DX), Y12; \
	VFMADD231PS Y12, Y8, sum0; \
	VFMADD231PS Y12, Y9, sum1; \
	VFMADD231PS Y12, Y10, sum2; \
	VFMADD231PS Y12, Y11, sum3

// func panels4x1FMA(out, base, panels, vectors *float32, k, stride int)
// It writes base plus the products of four vectors, k elements apart, with a panel of sixteen rows; outputs stand
// stride elements apart.
TEXT ·panels4x1FMA(SB), NOSPLIT, $0-48
	MOVQ    out+0(FP), AX
	MOVQ    base+8(FP), CX
	MOVQ    panels+16(FP), DX
	MOVQ    vectors+24(FP), BX
	MOVQ    k+32(FP), SI
	MOVQ    stride+40(FP), DI
	VMOVUPS (CX), Y0
	VMOVUPS 32(CX), Y1
	VMOVUPS (CX), Y2
	VMOVUPS 32(CX), Y3
	VMOVUPS (CX), Y4
	VMOVUPS 32(CX), Y5
	VMOVUPS (CX), Y6
	VMOVUPS 32(CX), Y7
	MOVQ    SI, CX
	SHLQ    $2, CX
	APART(CX, BX, R8, R9, R10)

element:
	TESTQ SI, SI
	JZ    store
	FACTOR(BX, Y8)
	FACTOR(R8, Y9)
	FACTOR(R9, Y10)
	FACTOR(R10, Y11)
	FOUR_VECTORS(0, Y0, Y2, Y4, Y6)
	FOUR_VECTORS(32, Y1, Y3, Y5, Y7)
	ADDQ  $64, DX
	DECQ  SI
	JMP   element

store:
	SHLQ    $2, DI
	VMOVUPS Y0, (AX)
	VMOVUPS Y1, 32(AX)
	ADDQ    DI, AX
	VMOVUPS Y2, (AX)
	VMOVUPS Y3, 32(AX)
	ADDQ    DI, AX
	VMOVUPS Y4, (AX)
	VMOVUPS Y5, 32(AX)
	ADDQ    DI, AX
	VMOVUPS Y6, (AX)
	VMOVUPS Y7, 32(AX)
	VZEROUPPER
	RET

// PANEL adds the sixteen rows of a panel times the element in Y8.
#define PANEL(panel, low, high) \
	VMOVUPS     (panel), Y9; \
	VFMADD231PS Y9, Y8, low; \
	VMOVUPS     32(panel), Y9; \
	VFMADD231PS Y9, Y8, high; \
	ADDQ        $64, panel

// func panels1x4FMA(out, base, panels, vectors *float32, k, stride int)
// It writes base plus the products of a vector with four panels of sixteen rows, 16 k elements apart.
TEXT ·panels1x4FMA(SB), NOSPLIT, $0-48
	MOVQ    out+0(FP), AX
	MOVQ    base+8(FP), CX
	MOVQ    panels+16(FP), DX
	MOVQ    vectors+24(FP), BX
	MOVQ    k+32(FP), SI
	VMOVUPS (CX), Y0
	VMOVUPS 32(CX), Y1
	VMOVUPS 64(CX), Y2
	VMOVUPS 96(CX), Y3
	VMOVUPS 128(CX), Y4
	VMOVUPS 160(CX), Y5
	VMOVUPS 192(CX), Y6
	VMOVUPS 224(CX), Y7
	MOVQ    SI, CX
	SHLQ    $6, CX
	APART(CX, DX, R8, R9, R10)

element:
	TESTQ SI, SI
	JZ    store
	FACTOR(BX, Y8)
	PANEL(DX, Y0, Y1)
	PANEL(R8, Y2, Y3)
	PANEL(R9, Y4, Y5)
	PANEL(R10, Y6, Y7)
	DECQ  SI
	JMP   element

store:
	VMOVUPS Y0, (AX)
	VMOVUPS Y1, 32(AX)
	VMOVUPS Y2, 64(AX)
	VMOVUPS Y3, 96(AX)
	VMOVUPS Y4, 128(AX)
	VMOVUPS Y5, 160(AX)
	VMOVUPS Y6, 192(AX)
	VMOVUPS Y7, 224(AX)
	VZEROUPPER
	RET

// SCATTER adds the lowest element of value to the element of to (base AX, length CX) whose number is at disp(DX).
#define SCATTER(disp, value) \
	MOVL   disp(DX), R8; \
	CMPQ   R8, CX; \
	JAE    done; \
	VADDSD (AX)(R8*8), value, X5; \
	VMOVSD X5, (AX)(R8*8)

// func addAtAVX2(to []float64, at []uint32, values []float32, factor float64, ahead int) int
// It returns the number of elements that are left when one is outside of to, or 0.
TEXT ·addAtAVX2(SB), NOSPLIT, $0-96
	MOVQ         to_base+0(FP), AX
	MOVQ         to_len+8(FP), CX
	MOVQ         at_base+24(FP), DX
	MOVQ         at_len+32(FP), SI
	MOVQ         values_base+48(FP), BX
	MOVSD        factor+72(FP), X0
	MOVQ         ahead+80(FP), R9
	VBROADCASTSD X0, Y0

four:
	CMPQ         SI, $4
	JL           one
	PREFETCHT0   (DX)(R9*4)
	PREFETCHT0   (BX)(R9*4)
	VCVTPS2PD    (BX), Y1
	VMULPD       Y0, Y1, Y1
	VEXTRACTF128 $1, Y1, X3
	VUNPCKHPD    X1, X1, X2
	VUNPCKHPD    X3, X3, X4
	SCATTER(0, X1)
	SCATTER(4, X2)
	SCATTER(8, X3)
	SCATTER(12, X4)
	ADDQ         $16, DX
	ADDQ         $16, BX
	SUBQ         $4, SI
	JMP          four

one:
	TESTQ     SI, SI
	JZ        done
	VCVTSS2SD (BX), X1, X1
	VMULSD    X0, X1, X1
	SCATTER(0, X1)
	ADDQ      $4, DX
	ADDQ      $4, BX
	DECQ      SI
	JMP       one

done:
	MOVQ SI, ret+88(FP)
	VZEROUPPER
	RET

// func fetch(at *uint32)
TEXT ·fetch(SB), NOSPLIT, $0-8
	MOVQ       at+0(FP), AX
	PREFETCHT0 (AX)
	RET

// KIND multiplies the lowest element of value by what the table (base R10) has for the kind at disp(DI). On many processors four of these take
// less time than a gather.
#define KIND(disp, value) \
	MOVBLZX disp(DI), R11; \
	VMULSD  (R10)(R11*8), value, value

// func addAtKindsAVX2(to []float64, at []uint32, values []float32, kinds []uint8, factor float64, table *[256]float64, ahead int) int
// It returns the number of elements that are left when one is outside of to, or 0.
TEXT ·addAtKindsAVX2(SB), NOSPLIT, $0-128
	MOVQ         to_base+0(FP), AX
	MOVQ         to_len+8(FP), CX
	MOVQ         at_base+24(FP), DX
	MOVQ         at_len+32(FP), SI
	MOVQ         values_base+48(FP), BX
	MOVQ         kinds_base+72(FP), DI
	MOVSD        factor+96(FP), X0
	MOVQ         table+104(FP), R10
	MOVQ         ahead+112(FP), R9
	VBROADCASTSD X0, Y0

four:
	CMPQ         SI, $4
	JL           one
	PREFETCHT0   (DX)(R9*4)
	PREFETCHT0   (BX)(R9*4)
	PREFETCHT0   (DI)(R9*1)
	VCVTPS2PD    (BX), Y1
	VMULPD       Y0, Y1, Y1
	VEXTRACTF128 $1, Y1, X3
	VUNPCKHPD    X1, X1, X2
	VUNPCKHPD    X3, X3, X4
	KIND(0, X1)
	SCATTER(0, X1)
	KIND(1, X2)
	SCATTER(4, X2)
	KIND(2, X3)
	SCATTER(8, X3)
	KIND(3, X4)
	SCATTER(12, X4)
	ADDQ         $16, DX
	ADDQ         $16, BX
	ADDQ         $4, DI
	SUBQ         $4, SI
	JMP          four

one:
	TESTQ     SI, SI
	JZ        done
	VCVTSS2SD (BX), X1, X1
	VMULSD    X0, X1, X1
	KIND(0, X1)
	SCATTER(0, X1)
	ADDQ      $4, DX
	ADDQ      $4, BX
	INCQ      DI
	DECQ      SI
	JMP       one

done:
	MOVQ SI, ret+120(FP)
	VZEROUPPER
	RET

// func blendAVX2(out, factors, a, b *float64, x, y float64, count int)
TEXT ·blendAVX2(SB), NOSPLIT, $0-56
	MOVQ         out+0(FP), AX
	MOVQ         factors+8(FP), BX
	MOVQ         a+16(FP), CX
	MOVQ         b+24(FP), DX
	VBROADCASTSD x+32(FP), Y0
	VBROADCASTSD y+40(FP), Y1
	MOVQ         count+48(FP), SI
	XORQ         DI, DI

next:
	VMULPD  (CX)(DI*8), Y0, Y2
	VMULPD  (DX)(DI*8), Y1, Y3
	VADDPD  Y3, Y2, Y2
	VMULPD  (BX)(DI*8), Y2, Y2
	VMOVUPD Y2, (AX)(DI*8)
	ADDQ    $4, DI
	CMPQ    DI, SI
	JL      next
	VZEROUPPER
	RET

// MIX writes eight sums and takes them into the largest so far, Y15, where a sum that is no number does not count.
#define MIX(disp, wide) \
	VCVTPD2PSY   wide(BX), X2; \
	VCVTPD2PSY   wide+32(BX), X3; \
	VINSERTF128  $1, X3, Y2, Y2; \
	VMULPS       disp(DX), Y0, Y3; \
	VMULPS       Y3, Y2, Y2; \
	VFMADD231PS  disp(SI), Y1, Y2; \
	VMOVUPS      Y2, disp(AX); \
	VMAXPS       Y15, Y2, Y15

// func mixFMA(out, highest, scale *float32, near *float64, smooth *float32, first, second float32, runs int)
TEXT ·mixFMA(SB), NOSPLIT, $0-56
	MOVQ         out+0(FP), AX
	MOVQ         highest+8(FP), CX
	MOVQ         scale+16(FP), DX
	MOVQ         near+24(FP), BX
	MOVQ         smooth+32(FP), SI
	VBROADCASTSS first+40(FP), Y0
	VBROADCASTSS second+44(FP), Y1
	MOVQ         runs+48(FP), DI
	MOVL         $0xff800000, R8 // minus infinity
	VMOVD        R8, X14
	VPBROADCASTD X14, Y14

next:
	TESTQ        DI, DI
	JZ           end
	VMOVAPS      Y14, Y15
	MIX(0, 0)
	MIX(32, 64)
	MIX(64, 128)
	MIX(96, 192)
	VEXTRACTF128 $1, Y15, X2
	VMAXPS       X2, X15, X15
	VPERMILPS    $0x4e, X15, X2
	VMAXPS       X2, X15, X15
	VPERMILPS    $0xb1, X15, X2
	VMAXPS       X2, X15, X15
	VMOVSS       X15, (CX)
	ADDQ         $128, AX
	ADDQ         $4, CX
	ADDQ         $128, DX
	ADDQ         $256, BX
	ADDQ         $128, SI
	DECQ         DI
	JMP          next

end:
	VZEROUPPER
	RET

// PAIRS adds the products of sixteen rows with a pair of elements in lanes.
#define PAIRS(low, high, lanes, sumlow, sumhigh) \
	VPMADDWD low, lanes, Y12; \
	VPADDD   Y12, sumlow, sumlow; \
	VPMADDWD high, lanes, Y13; \
	VPADDD   Y13, sumhigh, sumhigh

// SCORE writes eight scores of a vector: base + factor * scale * sum.
#define SCORE(disp, factor, sum, out) \
	VCVTDQ2PS    sum, sum; \
	VMULPS       disp(R12), factor, Y12; \
	VMOVUPS      disp(R11), Y13; \
	VFMADD231PS  Y12, sum, Y13; \
	VMOVUPS      Y13, disp(out)

// ZERO_SUMS clears Y0 to Y7.
#define ZERO_SUMS \
	VPXOR Y0, Y0, Y0; \
	VPXOR Y1, Y1, Y1; \
	VPXOR Y2, Y2, Y2; \
	VPXOR Y3, Y3, Y3; \
	VPXOR Y4, Y4, Y4; \
	VPXOR Y5, Y5, Y5; \
	VPXOR Y6, Y6, Y6; \
	VPXOR Y7, Y7, Y7

// func coarse4x1FMA(out, base, scale *float32, panels, vectors *int16, scales *float32, pairs, apart int)
// It writes the scores of four vectors, pairs apart, with a panel of sixteen rows.
TEXT ·coarse4x1FMA(SB), NOSPLIT, $0-64
	MOVQ out+0(FP), AX
	MOVQ base+8(FP), R11
	MOVQ scale+16(FP), R12
	MOVQ panels+24(FP), DX
	MOVQ vectors+32(FP), BX
	MOVQ scales+40(FP), R13
	MOVQ pairs+48(FP), SI
	MOVQ apart+56(FP), DI
	MOVQ SI, CX
	SHLQ $2, CX
	APART(CX, BX, R8, R9, R10)
	ZERO_SUMS

pair:
	TESTQ        SI, SI
	JZ           store
	VMOVDQU      (DX), Y8
	VMOVDQU      32(DX), Y9
	VPBROADCASTD (BX), Y10
	VPBROADCASTD (R8), Y11
	PAIRS(Y8, Y9, Y10, Y0, Y1)
	PAIRS(Y8, Y9, Y11, Y2, Y3)
	VPBROADCASTD (R9), Y10
	VPBROADCASTD (R10), Y11
	PAIRS(Y8, Y9, Y10, Y4, Y5)
	PAIRS(Y8, Y9, Y11, Y6, Y7)
	ADDQ         $4, BX
	ADDQ         $4, R8
	ADDQ         $4, R9
	ADDQ         $4, R10
	ADDQ         $64, DX
	DECQ         SI
	JMP          pair

store:
	SHLQ         $2, DI
	VBROADCASTSS (R13), Y8
	SCORE(0, Y8, Y0, AX)
	SCORE(32, Y8, Y1, AX)
	ADDQ         DI, AX
	VBROADCASTSS 4(R13), Y8
	SCORE(0, Y8, Y2, AX)
	SCORE(32, Y8, Y3, AX)
	ADDQ         DI, AX
	VBROADCASTSS 8(R13), Y8
	SCORE(0, Y8, Y4, AX)
	SCORE(32, Y8, Y5, AX)
	ADDQ         DI, AX
	VBROADCASTSS 12(R13), Y8
	SCORE(0, Y8, Y6, AX)
	SCORE(32, Y8, Y7, AX)
	VZEROUPPER
	RET

// COARSE_PANEL adds the products of a panel of sixteen rows with the pair in Y8.
#define COARSE_PANEL(panel, sumlow, sumhigh) \
	PAIRS((panel), 32(panel), Y8, sumlow, sumhigh); \
	ADDQ $64, panel

// func coarse1x4FMA(out, base, scale *float32, panels, vectors *int16, scales *float32, pairs int)
// It writes the scores of a vector with four panels of sixteen rows.
TEXT ·coarse1x4FMA(SB), NOSPLIT, $0-56
	MOVQ out+0(FP), AX
	MOVQ base+8(FP), R11
	MOVQ scale+16(FP), R12
	MOVQ panels+24(FP), DX
	MOVQ vectors+32(FP), BX
	MOVQ scales+40(FP), R13
	MOVQ pairs+48(FP), SI
	MOVQ SI, CX
	SHLQ $6, CX
	APART(CX, DX, R8, R9, R10)
	ZERO_SUMS

pair:
	TESTQ        SI, SI
	JZ           store
	VPBROADCASTD (BX), Y8
	COARSE_PANEL(DX, Y0, Y1)
	COARSE_PANEL(R8, Y2, Y3)
	COARSE_PANEL(R9, Y4, Y5)
	COARSE_PANEL(R10, Y6, Y7)
	ADDQ         $4, BX
	DECQ         SI
	JMP          pair

store:
	VBROADCASTSS (R13), Y8
	SCORE(0, Y8, Y0, AX)
	SCORE(32, Y8, Y1, AX)
	SCORE(64, Y8, Y2, AX)
	SCORE(96, Y8, Y3, AX)
	SCORE(128, Y8, Y4, AX)
	SCORE(160, Y8, Y5, AX)
	SCORE(192, Y8, Y6, AX)
	SCORE(224, Y8, Y7, AX)
	VZEROUPPER
	RET

// FIRST_PLACE puts R11 at the first place, R9 at its factor and R10 to the number of places; ROW_AT puts R8 at the row of
// a place, and NEXT_PLACE goes on.
#define FIRST_PLACE \
	MOVQ R12, R11; \
	MOVQ BX, R9; \
	MOVQ SI, R10

#define ROW_AT \
	MOVL  (R11), R8; \
	IMULQ DI, R8; \
	ADDQ  DX, R8

#define NEXT_PLACE \
	ADDQ $4, R11; \
	ADDQ $8, R9; \
	DECQ R10

// func addRowsAtAVX2(to, rows []float64, at []uint32, factors []float64)
// It holds up to 32 columns in registers while it runs over the places. DI is the bytes of a row.
TEXT ·addRowsAtAVX2(SB), NOSPLIT, $0-96
	MOVQ to_base+0(FP), AX
	MOVQ to_len+8(FP), CX
	MOVQ rows_base+24(FP), DX
	MOVQ at_base+48(FP), R12
	MOVQ factors_base+72(FP), BX
	MOVQ factors_len+80(FP), SI
	MOVQ CX, DI
	SHLQ $3, DI

thirtytwo:
	CMPQ    CX, $32
	JL      twenty
	VMOVUPD (AX), Y0
	VMOVUPD 32(AX), Y1
	VMOVUPD 64(AX), Y2
	VMOVUPD 96(AX), Y3
	VMOVUPD 128(AX), Y4
	VMOVUPD 160(AX), Y5
	VMOVUPD 192(AX), Y6
	VMOVUPD 224(AX), Y7
	FIRST_PLACE

thirtytwoplace:
	TESTQ        R10, R10
	JZ           thirtytwostore
	ROW_AT
	VBROADCASTSD (R9), Y8
	ADD_ROW(0, R8, Y8, Y9, Y0)
	ADD_ROW(32, R8, Y8, Y10, Y1)
	ADD_ROW(64, R8, Y8, Y11, Y2)
	ADD_ROW(96, R8, Y8, Y12, Y3)
	ADD_ROW(128, R8, Y8, Y9, Y4)
	ADD_ROW(160, R8, Y8, Y10, Y5)
	ADD_ROW(192, R8, Y8, Y11, Y6)
	ADD_ROW(224, R8, Y8, Y12, Y7)
	NEXT_PLACE
	JMP          thirtytwoplace

thirtytwostore:
	VMOVUPD Y0, (AX)
	VMOVUPD Y1, 32(AX)
	VMOVUPD Y2, 64(AX)
	VMOVUPD Y3, 96(AX)
	VMOVUPD Y4, 128(AX)
	VMOVUPD Y5, 160(AX)
	VMOVUPD Y6, 192(AX)
	VMOVUPD Y7, 224(AX)
	ADDQ    $256, AX
	ADDQ    $256, DX
	SUBQ    $32, CX
	JMP     thirtytwo

twenty:
	CMPQ    CX, $20
	JL      four
	VMOVUPD (AX), Y0
	VMOVUPD 32(AX), Y1
	VMOVUPD 64(AX), Y2
	VMOVUPD 96(AX), Y3
	VMOVUPD 128(AX), Y4
	FIRST_PLACE

twentyplace:
	TESTQ        R10, R10
	JZ           twentystore
	ROW_AT
	VBROADCASTSD (R9), Y8
	ADD_ROW(0, R8, Y8, Y9, Y0)
	ADD_ROW(32, R8, Y8, Y10, Y1)
	ADD_ROW(64, R8, Y8, Y11, Y2)
	ADD_ROW(96, R8, Y8, Y12, Y3)
	ADD_ROW(128, R8, Y8, Y9, Y4)
	NEXT_PLACE
	JMP          twentyplace

twentystore:
	VMOVUPD Y0, (AX)
	VMOVUPD Y1, 32(AX)
	VMOVUPD Y2, 64(AX)
	VMOVUPD Y3, 96(AX)
	VMOVUPD Y4, 128(AX)
	ADDQ    $160, AX
	ADDQ    $160, DX
	SUBQ    $20, CX

four:
	CMPQ    CX, $4
	JL      tail
	VMOVUPD (AX), Y0
	FIRST_PLACE

fourplace:
	TESTQ        R10, R10
	JZ           fourstore
	ROW_AT
	VBROADCASTSD (R9), Y1
	ADD_ROW(0, R8, Y1, Y2, Y0)
	NEXT_PLACE
	JMP          fourplace

fourstore:
	VMOVUPD Y0, (AX)
	ADDQ    $32, AX
	ADDQ    $32, DX
	SUBQ    $4, CX
	JMP     four

tail:
	TESTQ      CX, CX
	JZ         done
	TAIL_MASK(CX, R8, R9, Y0)
	VMASKMOVPD (AX), Y0, Y1
	FIRST_PLACE

tailplace:
	TESTQ        R10, R10
	JZ           tailstore
	ROW_AT
	VBROADCASTSD (R9), Y2
	VMASKMOVPD   (R8), Y0, Y3
	VMULPD       Y2, Y3, Y3
	VADDPD       Y3, Y1, Y1
	NEXT_PLACE
	JMP          tailplace

tailstore:
	VMASKMOVPD Y1, Y0, (AX)

done:
	VZEROUPPER
	RET

// ADD_SINGLES adds eight elements of a row, times a factor, to sum.
#define ADD_SINGLES(disp, row, factor, t, sum) \
	VMULPS disp(row), factor, t; \
	VADDPS t, sum, sum

// func addTileFMA(to, factors, rows *float32, count int)
TEXT ·addTileFMA(SB), NOSPLIT, $0-32
	MOVQ    to+0(FP), AX
	MOVQ    factors+8(FP), BX
	MOVQ    rows+16(FP), DX
	MOVQ    count+24(FP), SI
	VMOVUPS (AX), Y0
	VMOVUPS 32(AX), Y1
	VMOVUPS 64(AX), Y2
	VMOVUPS 96(AX), Y3
	VMOVUPS 128(AX), Y4
	VMOVUPS 160(AX), Y5
	VMOVUPS 192(AX), Y6
	VMOVUPS 224(AX), Y7

row:
	VBROADCASTSS (BX), Y8
	VFMADD231PS  (DX), Y8, Y0
	VFMADD231PS  32(DX), Y8, Y1
	VFMADD231PS  64(DX), Y8, Y2
	VFMADD231PS  96(DX), Y8, Y3
	VFMADD231PS  128(DX), Y8, Y4
	VFMADD231PS  160(DX), Y8, Y5
	VFMADD231PS  192(DX), Y8, Y6
	VFMADD231PS  224(DX), Y8, Y7
	ADDQ         $256, DX
	ADDQ         $4, BX
	DECQ         SI
	JNZ          row
	VMOVUPS      Y0, (AX)
	VMOVUPS      Y1, 32(AX)
	VMOVUPS      Y2, 64(AX)
	VMOVUPS      Y3, 96(AX)
	VMOVUPS      Y4, 128(AX)
	VMOVUPS      Y5, 160(AX)
	VMOVUPS      Y6, 192(AX)
	VMOVUPS      Y7, 224(AX)
	VZEROUPPER
	RET

// LOAD_TILE and STORE_TILE move the 64 elements at a place to and from four registers.
#define LOAD_TILE(at, a, b, c, d) \
	VMOVUPS (at), a; \
	VMOVUPS 64(at), b; \
	VMOVUPS 128(at), c; \
	VMOVUPS 192(at), d

#define STORE_TILE(at, a, b, c, d) \
	VMOVUPS a, (at); \
	VMOVUPS b, 64(at); \
	VMOVUPS c, 128(at); \
	VMOVUPS d, 192(at)

// ADD_TILE adds the factor at a place times Z16 to Z19.
#define ADD_TILE(factor, t, a, b, c, d) \
	VBROADCASTSS factor, t; \
	VFMADD231PS  Z16, t, a; \
	VFMADD231PS  Z17, t, b; \
	VFMADD231PS  Z18, t, c; \
	VFMADD231PS  Z19, t, d

// func addTileAVX512(to, factors, rows *float32, stride, count int)
TEXT ·addTileAVX512(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), AX
	MOVQ factors+8(FP), BX
	MOVQ rows+16(FP), DX
	MOVQ stride+24(FP), DI
	MOVQ count+32(FP), SI
	LEAQ (AX)(DI*4), R8
	LEAQ (R8)(DI*4), R9
	LEAQ (R9)(DI*4), R10
	LEAQ (BX)(SI*4), R11
	LEAQ (R11)(SI*4), R12
	LEAQ (R12)(SI*4), R13
	LOAD_TILE(AX, Z0, Z1, Z2, Z3)
	LOAD_TILE(R8, Z4, Z5, Z6, Z7)
	LOAD_TILE(R9, Z8, Z9, Z10, Z11)
	LOAD_TILE(R10, Z12, Z13, Z14, Z15)
	XORQ CX, CX

row:
	LOAD_TILE(DX, Z16, Z17, Z18, Z19)
	ADD_TILE((BX)(CX*4), Z20, Z0, Z1, Z2, Z3)
	ADD_TILE((R11)(CX*4), Z21, Z4, Z5, Z6, Z7)
	ADD_TILE((R12)(CX*4), Z22, Z8, Z9, Z10, Z11)
	ADD_TILE((R13)(CX*4), Z23, Z12, Z13, Z14, Z15)
	ADDQ $256, DX
	INCQ CX
	CMPQ CX, SI
	JLT  row
	STORE_TILE(AX, Z0, Z1, Z2, Z3)
	STORE_TILE(R8, Z4, Z5, Z6, Z7)
	STORE_TILE(R9, Z8, Z9, Z10, Z11)
	STORE_TILE(R10, Z12, Z13, Z14, Z15)
	VZEROUPPER
	RET

// NEXT_SINGLE goes on to the next place and its factor of four bytes.
#define NEXT_SINGLE \
	ADDQ $4, R11; \
	ADDQ $4, R9; \
	DECQ R10

// func addRowsAtSingleAVX2(to, rows *float32, at *uint32, factors *float32, columns, stride, count int)
// It holds up to 40 columns in registers while it runs over the places. DI is the bytes of a row.
TEXT ·addRowsAtSingleAVX2(SB), NOSPLIT, $0-56
	MOVQ to+0(FP), AX
	MOVQ rows+8(FP), DX
	MOVQ at+16(FP), R12
	MOVQ factors+24(FP), BX
	MOVQ columns+32(FP), CX
	MOVQ stride+40(FP), DI
	MOVQ count+48(FP), SI
	SHLQ $2, DI

forty:
	CMPQ    CX, $40
	JL      eight
	VMOVUPS (AX), Y0
	VMOVUPS 32(AX), Y1
	VMOVUPS 64(AX), Y2
	VMOVUPS 96(AX), Y3
	VMOVUPS 128(AX), Y4
	FIRST_PLACE

fortyplace:
	TESTQ        R10, R10
	JZ           fortystore
	ROW_AT
	VBROADCASTSS (R9), Y8
	ADD_SINGLES(0, R8, Y8, Y9, Y0)
	ADD_SINGLES(32, R8, Y8, Y10, Y1)
	ADD_SINGLES(64, R8, Y8, Y11, Y2)
	ADD_SINGLES(96, R8, Y8, Y12, Y3)
	ADD_SINGLES(128, R8, Y8, Y13, Y4)
	NEXT_SINGLE
	JMP          fortyplace

fortystore:
	VMOVUPS Y0, (AX)
	VMOVUPS Y1, 32(AX)
	VMOVUPS Y2, 64(AX)
	VMOVUPS Y3, 96(AX)
	VMOVUPS Y4, 128(AX)
	ADDQ    $160, AX
	ADDQ    $160, DX
	SUBQ    $40, CX
	JMP     forty

eight:
	TESTQ   CX, CX
	JZ      done
	VMOVUPS (AX), Y0
	FIRST_PLACE

eightplace:
	TESTQ        R10, R10
	JZ           eightstore
	ROW_AT
	VBROADCASTSS (R9), Y4
	ADD_SINGLES(0, R8, Y4, Y5, Y0)
	NEXT_SINGLE
	JMP          eightplace

eightstore:
	VMOVUPS Y0, (AX)
	ADDQ    $32, AX
	ADDQ    $32, DX
	SUBQ    $8, CX
	JMP     eight

done:
	VZEROUPPER
	RET

// func addRowsAtSingleAVX512(to, rows *float32, at *uint32, factors *float32, columns, stride, count int)
// It holds 80 columns in registers while it runs over the places. DI is the bytes of a row.
TEXT ·addRowsAtSingleAVX512(SB), NOSPLIT, $0-56
	MOVQ to+0(FP), AX
	MOVQ rows+8(FP), DX
	MOVQ at+16(FP), R12
	MOVQ factors+24(FP), BX
	MOVQ columns+32(FP), CX
	MOVQ stride+40(FP), DI
	MOVQ count+48(FP), SI
	SHLQ $2, DI

eighty:
	VMOVUPS (AX), Z0
	VMOVUPS 64(AX), Z1
	VMOVUPS 128(AX), Z2
	VMOVUPS 192(AX), Z3
	VMOVUPS 256(AX), Z4
	FIRST_PLACE

place:
	ROW_AT
	VBROADCASTSS (R9), Z8
	ADD_SINGLES(0, R8, Z8, Z9, Z0)
	ADD_SINGLES(64, R8, Z8, Z10, Z1)
	ADD_SINGLES(128, R8, Z8, Z11, Z2)
	ADD_SINGLES(192, R8, Z8, Z12, Z3)
	ADD_SINGLES(256, R8, Z8, Z13, Z4)
	NEXT_SINGLE
	JNZ          place
	VMOVUPS      Z0, (AX)
	VMOVUPS      Z1, 64(AX)
	VMOVUPS      Z2, 128(AX)
	VMOVUPS      Z3, 192(AX)
	VMOVUPS      Z4, 256(AX)
	ADDQ         $320, AX
	ADDQ         $320, DX
	SUBQ         $80, CX
	JNZ          eighty
	VZEROUPPER
	RET

// WIDEN_TIMES adds four elements, widened and times Y0, to others.
#define WIDEN_TIMES(disp, single, to, from, t) \
	VCVTPS2PD single(from), t; \
	VMULPD    Y0, t, t; \
	VADDPD    disp(to), t, t; \
	VMOVUPD   t, disp(to)

// func addTimesSingleAVX2(to *float64, from *float32, factor float64, count int)
TEXT ·addTimesSingleAVX2(SB), NOSPLIT, $0-32
	MOVQ         to+0(FP), AX
	MOVQ         from+8(FP), CX
	VBROADCASTSD factor+16(FP), Y0
	MOVQ         count+24(FP), DX

sixteen:
	CMPQ DX, $16
	JL   four
	WIDEN_TIMES(0, 0, AX, CX, Y1)
	WIDEN_TIMES(32, 16, AX, CX, Y2)
	WIDEN_TIMES(64, 32, AX, CX, Y3)
	WIDEN_TIMES(96, 48, AX, CX, Y4)
	ADDQ $128, AX
	ADDQ $64, CX
	SUBQ $16, DX
	JMP  sixteen

four:
	TESTQ DX, DX
	JZ    done
	WIDEN_TIMES(0, 0, AX, CX, Y1)
	ADDQ  $32, AX
	ADDQ  $16, CX
	SUBQ  $4, DX
	JMP   four

done:
	VZEROUPPER
	RET

// ADD_TIMES_TWO adds four elements at CX, times Y0 and times Y1, to those at AX and BX.
#define ADD_TIMES_TWO(disp) \
	VMOVUPD disp(CX), Y2; \
	VMULPD  Y0, Y2, Y3; \
	VMULPD  Y1, Y2, Y2; \
	VADDPD  disp(AX), Y3, Y3; \
	VADDPD  disp(BX), Y2, Y2; \
	VMOVUPD Y3, disp(AX); \
	VMOVUPD Y2, disp(BX)

// func addTimesTwoAVX2(first, second, from *float64, a, b float64, count int)
TEXT ·addTimesTwoAVX2(SB), NOSPLIT, $0-48
	MOVQ         first+0(FP), AX
	MOVQ         second+8(FP), BX
	MOVQ         from+16(FP), CX
	VBROADCASTSD a+24(FP), Y0
	VBROADCASTSD b+32(FP), Y1
	MOVQ         count+40(FP), DX

four:
	ADD_TIMES_TWO(0)
	ADDQ $32, AX
	ADDQ $32, BX
	ADDQ $32, CX
	SUBQ $4, DX
	JNZ  four
	VZEROUPPER
	RET

// func towardsAVX2(to, mean *float64, share float64, count int)
// Y0 is the share and Y1 what is left of 1.
TEXT ·towardsAVX2(SB), NOSPLIT, $0-32
	MOVQ         to+0(FP), AX
	MOVQ         mean+8(FP), CX
	VBROADCASTSD share+16(FP), Y0
	MOVQ         count+24(FP), DX
	MOVQ         $0x3ff0000000000000, R8
	VMOVQ        R8, X2
	VBROADCASTSD X2, Y2
	VSUBPD       Y0, Y2, Y1

four:
	VMULPD  (AX), Y1, Y3
	VMULPD  (CX), Y0, Y4
	VADDPD  Y4, Y3, Y3
	VMOVUPD Y3, (AX)
	ADDQ    $32, AX
	ADDQ    $32, CX
	SUBQ    $4, DX
	JNZ     four
	VZEROUPPER
	RET

// func towardsEachAVX2(to, mean, factors *float64, share float64, count int)
// The share of an element is that times its factor, and at most 1.
TEXT ·towardsEachAVX2(SB), NOSPLIT, $0-40
	MOVQ         to+0(FP), AX
	MOVQ         mean+8(FP), CX
	MOVQ         factors+16(FP), BX
	VBROADCASTSD share+24(FP), Y0
	MOVQ         count+32(FP), DX
	MOVQ         $0x3ff0000000000000, R8
	VMOVQ        R8, X2
	VBROADCASTSD X2, Y2

four:
	VMULPD  (BX), Y0, Y1
	VMINPD  Y1, Y2, Y1
	VSUBPD  Y1, Y2, Y3
	VMULPD  (AX), Y3, Y3
	VMULPD  (CX), Y1, Y1
	VADDPD  Y1, Y3, Y3
	VMOVUPD Y3, (AX)
	ADDQ    $32, AX
	ADDQ    $32, CX
	ADDQ    $32, BX
	SUBQ    $4, DX
	JNZ     four
	VZEROUPPER
	RET

// PRODUCTS adds the products of an element of a row with eight of the second matrix.
#define PRODUCTS(row, low, high) \
	VBROADCASTSD (row)(R13*8), Y10; \
	VMULPD       Y8, Y10, Y11; \
	VMULPD       Y9, Y10, Y12; \
	VADDPD       Y11, low, low; \
	VADDPD       Y12, high, high

// func productsAVX2(out, first, second, third, fourth, columns *float64, k, wide int)
// It holds four rows of eight sums in registers. DI is the bytes of a row of out, SI the columns that are left.
TEXT ·productsAVX2(SB), NOSPLIT, $0-64
	MOVQ out+0(FP), AX
	MOVQ first+8(FP), R8
	MOVQ second+16(FP), R9
	MOVQ third+24(FP), R10
	MOVQ fourth+32(FP), R11
	MOVQ columns+40(FP), DX
	MOVQ k+48(FP), CX
	MOVQ wide+56(FP), SI
	MOVQ SI, DI
	SHLQ $3, DI

eight:
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7
	MOVQ   DX, R12
	XORQ   R13, R13

next:
	VMOVUPD (R12), Y8
	VMOVUPD 32(R12), Y9
	PRODUCTS(R8, Y0, Y1)
	PRODUCTS(R9, Y2, Y3)
	PRODUCTS(R10, Y4, Y5)
	PRODUCTS(R11, Y6, Y7)
	ADDQ    DI, R12
	INCQ    R13
	CMPQ    R13, CX
	JLT     next
	MOVQ    AX, BX
	VMOVUPD Y0, (BX)
	VMOVUPD Y1, 32(BX)
	ADDQ    DI, BX
	VMOVUPD Y2, (BX)
	VMOVUPD Y3, 32(BX)
	ADDQ    DI, BX
	VMOVUPD Y4, (BX)
	VMOVUPD Y5, 32(BX)
	ADDQ    DI, BX
	VMOVUPD Y6, (BX)
	VMOVUPD Y7, 32(BX)
	ADDQ    $64, AX
	ADDQ    $64, DX
	SUBQ    $8, SI
	JNZ     eight
	VZEROUPPER
	RET

// ADD_TWENTY adds a row of 20 elements times the number at factor to Y0 to Y4.
#define ADD_TWENTY(row, factor) \
	VBROADCASTSD factor, Y5; \
	ADD_ROW(0, row, Y5, Y6, Y0); \
	ADD_ROW(32, row, Y5, Y7, Y1); \
	ADD_ROW(64, row, Y5, Y8, Y2); \
	ADD_ROW(96, row, Y5, Y9, Y3); \
	ADD_ROW(128, row, Y5, Y10, Y4)

// func combineAVX2(out *float64, at *int, rows, factors, own, each *float64, places, count int)
// R8 is the place, R9 its row in bytes.
TEXT ·combineAVX2(SB), NOSPLIT, $0-64
	MOVQ out+0(FP), AX
	MOVQ at+8(FP), CX
	MOVQ rows+16(FP), DX
	MOVQ factors+24(FP), BX
	MOVQ own+32(FP), SI
	MOVQ each+40(FP), DI
	MOVQ count+56(FP), R11

place:
	MOVQ   (CX), R8
	ADDQ   $8, CX
	LEAQ   (R8)(R8*4), R9
	SHLQ   $5, R9
	MOVQ   R8, R12
	IMULQ  R11, R12
	LEAQ   (BX)(R12*8), R12
	MOVQ   DX, R13
	MOVQ   R11, R10
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4

row:
	ADD_TWENTY(R13, (R12))
	ADDQ    $160, R13
	ADDQ    $8, R12
	DECQ    R10
	JNZ     row
	LEAQ    (SI)(R9*1), R13
	ADD_TWENTY(R13, (DI)(R8*8))
	LEAQ    (AX)(R9*1), R13
	VMOVUPD Y0, (R13)
	VMOVUPD Y1, 32(R13)
	VMOVUPD Y2, 64(R13)
	VMOVUPD Y3, 96(R13)
	VMOVUPD Y4, 128(R13)
	DECQ    places+48(FP)
	JNZ     place
	VZEROUPPER
	RET

// WEIGH_SLOT writes the weights of four items at slot R12: e times (linear, Y0, plus slope, Y1, times e, plus h) plus base.
#define WEIGH_SLOT(h) \
	VBROADCASTSD (DI)(R12*8), Y6; \
	VMULPD       Y6, Y1, Y7; \
	VADDPD       Y7, Y0, Y7; \
	VADDPD       h, Y7, Y7; \
	VMULPD       Y6, Y7, Y7; \
	VBROADCASTSD (SI)(R12*8), Y8; \
	VADDPD       Y7, Y8, Y7; \
	VMOVUPD      Y7, (R13); \
	ADDQ         R11, R13; \
	INCQ         R12

// func weighAVX2(out, within, linear, slope, base, away *float64, n, slots, wide int, half float64)
// Four items at a time. R8 is where they begin in a row of out, in bytes, R11 the bytes of such a row, R10 those of a row of within.
TEXT ·weighAVX2(SB), NOSPLIT, $0-80
	MOVQ out+0(FP), AX
	MOVQ within+8(FP), BX
	MOVQ linear+16(FP), CX
	MOVQ slope+24(FP), DX
	MOVQ base+32(FP), SI
	MOVQ away+40(FP), DI
	MOVQ n+48(FP), R11
	MOVQ wide+64(FP), R10
	SHLQ $3, R11
	SHLQ $3, R10
	XORQ R8, R8
	VBROADCASTSD half+72(FP), Y2

weighfour:
	VMOVUPD (CX)(R8*1), Y0
	VMOVUPD (DX)(R8*1), Y1
	LEAQ    (AX)(R8*1), R13
	MOVQ    BX, R14
	LEAQ    (BX)(R10*2), R9
	ADDQ    R10, R9
	XORQ    R12, R12
	VXORPD  Y3, Y3, Y3
	WEIGH_SLOT(Y3)

weighblock:
	CMPQ        R12, slots+56(FP)
	JGE         weighnext
	VMOVSD      (R14), X4
	VMOVHPD     (R14)(R10*1), X4, X4
	VMOVSD      (R14)(R10*2), X5
	VMOVHPD     (R9), X5, X5
	VINSERTF128 $1, X5, Y4, Y4
	VMULPD      Y2, Y4, Y4
	VADDPD      Y4, Y3, Y5
	WEIGH_SLOT(Y5)
	VADDPD      Y4, Y4, Y5
	WEIGH_SLOT(Y5)
	VMOVAPD     Y4, Y3
	ADDQ        $8, R14
	ADDQ        $8, R9
	JMP         weighblock

weighnext:
	LEAQ (BX)(R10*4), BX
	ADDQ $32, R8
	CMPQ R8, R11
	JL   weighfour
	VZEROUPPER
	RET

// func spreadAVX2(values, first, second, sums, each, away *float64, n, rows int)
// Four columns at a time. R8 is where they begin in a row, in bytes, R11 the bytes of a row.
TEXT ·spreadAVX2(SB), NOSPLIT, $0-64
	MOVQ values+0(FP), AX
	MOVQ first+8(FP), BX
	MOVQ second+16(FP), CX
	MOVQ sums+24(FP), DX
	MOVQ each+32(FP), SI
	MOVQ away+40(FP), DI
	MOVQ n+48(FP), R11
	MOVQ rows+56(FP), R10
	SHLQ $3, R11
	XORQ R8, R8

spreadfour:
	VMOVUPD (SI)(R8*1), Y0
	VXORPD  Y1, Y1, Y1
	VXORPD  Y2, Y2, Y2
	LEAQ    (AX)(R8*1), R13
	MOVQ    DX, R14
	XORQ    R12, R12

spreadrow:
	VMULPD       (R13), Y0, Y3
	VADDPD       (R14), Y3, Y4
	VMOVUPD      Y4, (R14)
	VBROADCASTSD (DI)(R12*8), Y5
	VMULPD       Y5, Y3, Y3
	VMOVUPD      Y3, (R13)
	VADDPD       Y3, Y1, Y1
	VMULPD       Y5, Y3, Y3
	VADDPD       Y3, Y2, Y2
	ADDQ         R11, R13
	ADDQ         $32, R14
	INCQ         R12
	CMPQ         R12, R10
	JL           spreadrow
	VMOVUPD      Y1, (BX)(R8*1)
	VMOVUPD      Y2, (CX)(R8*1)
	ADDQ         $32, R8
	CMPQ         R8, R11
	JL           spreadfour
	VZEROUPPER
	RET
