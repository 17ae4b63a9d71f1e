//go:build amd64 && !purego

#include "textflag.h"

// MASK leaves in to a bit for each of the 64 bytes in low and high that are not zero lanes: the bytes are masks already.
#define MASK(low, high, to, other) \
	VPMOVMSKB low, to; \
	VPMOVMSKB high, other; \
	SHLQ      $32, other; \
	ORQ       other, to

// func findAVX2(text *byte, blocks int, separator, quote byte, separators, ends *uint64)
TEXT ·findAVX2(SB), NOSPLIT, $0-40
	MOVQ         text+0(FP), SI
	MOVQ         blocks+8(FP), CX
	VPBROADCASTB separator+16(FP), Y0
	VPBROADCASTB quote+17(FP), Y1
	MOVQ         separators+24(FP), DI
	MOVQ         ends+32(FP), DX
	MOVL         $10, AX
	VMOVD        AX, X2
	VPBROADCASTB X2, Y2

block:
	VMOVDQU  (SI), Y3
	VMOVDQU  32(SI), Y4
	VPCMPEQB Y3, Y0, Y5
	VPCMPEQB Y4, Y0, Y6
	MASK(Y5, Y6, AX, BX)
	MOVQ     AX, (DI)
	VPCMPEQB Y3, Y1, Y5
	VPCMPEQB Y4, Y1, Y6
	VPCMPEQB Y3, Y2, Y7
	VPCMPEQB Y4, Y2, Y8
	VPOR     Y5, Y7, Y5
	VPOR     Y6, Y8, Y6
	MASK(Y5, Y6, AX, BX)
	MOVQ     AX, (DX)
	ADDQ     $64, SI
	ADDQ     $8, DI
	ADDQ     $8, DX
	DECQ     CX
	JNZ      block
	VZEROUPPER
	RET

// func plainAVX2(text *byte, blocks int) uint64
TEXT ·plainAVX2(SB), NOSPLIT, $0-24
	MOVQ  text+0(FP), SI
	MOVQ  blocks+8(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1       // bytes with their top bit, and those that are NUL

plain:
	VMOVDQU  (SI), Y2
	VMOVDQU  32(SI), Y3
	VPMINUB  Y2, Y3, Y4
	VPOR     Y2, Y3, Y5
	VPCMPEQB Y0, Y4, Y4
	VPOR     Y4, Y5, Y4
	VPOR     Y4, Y1, Y1
	ADDQ     $64, SI
	DECQ     CX
	JNZ      plain
	VPMOVMSKB Y1, AX
	MOVQ     AX, ret+16(FP)
	VZEROUPPER
	RET

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

// func placesVBMI2(marks *uint64, blocks int, places, ranks *uint16)
TEXT ·placesVBMI2(SB), NOSPLIT, $0-32
	MOVQ         marks+0(FP), SI
	MOVQ         blocks+8(FP), CX
	MOVQ         places+16(FP), DI
	MOVQ         ranks+24(FP), R8
	VMOVDQU64    iota<>(SB), Z0
	MOVL         $64, AX
	VPBROADCASTW AX, Z1
	VPXORQ       Z2, Z2, Z2      // where the block begins
	XORL         R9, R9          // places so far

block:
	MOVQ          (SI), BX
	KMOVQ         BX, K1
	VPCOMPRESSB.Z Z0, K1, Z3
	MOVW          R9, (R8)
	POPCNTQ       BX, BX
	VPMOVZXBW     Y3, Z4
	VPADDW        Z2, Z4, Z4
	VMOVDQU16     Z4, (DI)(R9*2)
	CMPQ          BX, $32
	JHI           more

next:
	ADDQ   BX, R9
	VPADDW Z1, Z2, Z2
	ADDQ   $8, SI
	ADDQ   $2, R8
	DECQ   CX
	JNZ    block

	// Behind the last there is none.
	VPTERNLOGQ $0xff, Z4, Z4, Z4
	VMOVDQU16  Z4, (DI)(R9*2)
	VZEROUPPER
	RET

more:
	VEXTRACTI64X4 $1, Z3, Y3
	VPMOVZXBW     Y3, Z4
	VPADDW        Z2, Z4, Z4
	VMOVDQU16     Z4, 64(DI)(R9*2)
	JMP           next
