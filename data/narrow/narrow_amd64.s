//go:build amd64 && !purego

#include "textflag.h"

// func toWords(to *uint16, from *uint32, count int)
TEXT ·toWords(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ count+16(FP), CX

words:
	VMOVDQU32 (SI), Z0
	VPMOVDW   Z0, (DI)
	ADDQ      $64, SI
	ADDQ      $32, DI
	SUBQ      $16, CX
	JGT       words
	VZEROUPPER
	RET

// func toBytes(to *uint8, from *uint32, count int)
TEXT ·toBytes(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ count+16(FP), CX

bytes:
	VMOVDQU32 (SI), Z0
	VPMOVDB   Z0, (DI)
	ADDQ      $64, SI
	ADDQ      $16, DI
	SUBQ      $16, CX
	JGT       bytes
	VZEROUPPER
	RET
