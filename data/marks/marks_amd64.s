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
