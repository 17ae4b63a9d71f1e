//go:build amd64 && !purego

#include "textflag.h"

// The numbers from 0 to 63, as bytes.
DATA iota<>+0(SB)/8, $0x0706050403020100
DATA iota<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA iota<>+16(SB)/8, $0x1716151413121110
DATA iota<>+24(SB)/8, $0x1f1e1d1c1b1a1918
DATA iota<>+32(SB)/8, $0x2726252423222120
DATA iota<>+40(SB)/8, $0x2f2e2d2c2b2a2928
DATA iota<>+48(SB)/8, $0x3736353433323130
DATA iota<>+56(SB)/8, $0x3f3e3d3c3b3a3938
GLOBL iota<>(SB), RODATA|NOPTR, $64

// func findVBMI2(slots *uint8, blocks int, marks *uint64, filled *uint32) int
TEXT ·findVBMI2(SB), NOSPLIT, $0-40
	MOVQ slots+0(FP), SI
	MOVQ blocks+8(FP), CX
	MOVQ marks+16(FP), DI
	MOVQ filled+24(FP), R8
	XORL R9, R9            // the block
	XORL R10, R10          // how many are listed

find:
	VMOVDQU64 (SI), Z0
	VPTESTMB  Z0, Z0, K1
	KMOVQ     K1, AX
	MOVQ      AX, (DI)(R9*8)
	MOVL      R9, (R8)(R10*4)
	CMPQ      AX, $1
	SBBQ      $-1, R10           // one more unless AX is 0
	ADDQ      $64, SI
	INCQ      R9
	CMPQ      R9, CX
	JLT       find
	MOVQ      R10, ret+32(FP)
	VZEROUPPER
	RET

// WRITE writes 16 items and values, from their bytes, to a distance behind those before.
#define WRITE(items, numbers, distance) \
	VPMOVZXBD items, Z6;                     \
	VPADDD    Z6, Z3, Z6;                    \
	VMOVDQU32 Z6, distance(R11)(R13*4);      \
	VPMOVZXBD numbers, Z7;                   \
	VPERMI2PS Z1, Z0, Z7;                    \
	VMOVUPS   Z7, distance(R12)(R13*4)

// func gatherVBMI2(slots *uint8, marks *uint64, filled *uint32, blocks int, values *[32]float32, item *uint32, value *float32) int
TEXT ·gatherVBMI2(SB), NOSPLIT, $0-64
	MOVQ      slots+0(FP), SI
	MOVQ      marks+8(FP), DI
	MOVQ      filled+16(FP), R8
	MOVQ      blocks+24(FP), CX
	MOVQ      values+32(FP), AX
	MOVQ      item+40(FP), R11
	MOVQ      value+48(FP), R12
	VMOVUPS   (AX), Z0
	VMOVUPS   64(AX), Z1
	VMOVDQU64 iota<>(SB), Z2
	VPXORQ    Z8, Z8, Z8
	LEAQ      (R8)(CX*4), CX
	XORL      R13, R13              // ratings so far
	CMPQ      R8, CX
	JEQ       gathered

gather:
	MOVL         (R8), AX
	ADDQ         $4, R8
	MOVQ         (DI)(AX*8), BX
	KMOVQ        BX, K1
	SHLL         $6, AX
	VPBROADCASTD AX, Z3
	VMOVDQU64    (SI)(AX*1), Z4
	VMOVDQU64    Z8, (SI)(AX*1)
	VPCOMPRESSB.Z Z4, K1, Z4
	VPCOMPRESSB.Z Z2, K1, Z5
	POPCNTQ      BX, BX
	WRITE(X5, X4, 0)
	CMPQ         BX, $16
	JA           more

next:
	ADDQ BX, R13
	CMPQ R8, CX
	JNE  gather

gathered:
	MOVQ R13, ret+56(FP)
	VZEROUPPER
	RET

more:
	VEXTRACTI32X4 $1, Z5, X6
	VEXTRACTI32X4 $1, Z4, X7
	WRITE(X6, X7, 64)
	CMPQ          BX, $32
	JLS           next
	VEXTRACTI32X4 $2, Z5, X6
	VEXTRACTI32X4 $2, Z4, X7
	WRITE(X6, X7, 128)
	CMPQ          BX, $48
	JLS           next
	VEXTRACTI32X4 $3, Z5, X6
	VEXTRACTI32X4 $3, Z4, X7
	WRITE(X6, X7, 192)
	JMP           next
