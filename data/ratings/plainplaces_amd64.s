//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// Of eight lines, which place has the end of the line before.
DATA lines<>+0(SB)/8, $0
DATA lines<>+8(SB)/8, $3
DATA lines<>+16(SB)/8, $6
DATA lines<>+24(SB)/8, $9
DATA lines<>+32(SB)/8, $12
DATA lines<>+40(SB)/8, $15
DATA lines<>+48(SB)/8, $18
DATA lines<>+56(SB)/8, $21
GLOBL lines<>(SB), RODATA|NOPTR, $64

// Powers of ten.
DATA tens<>+0(SB)/8, $1
DATA tens<>+8(SB)/8, $10
DATA tens<>+16(SB)/8, $100
DATA tens<>+24(SB)/8, $1000
DATA tens<>+32(SB)/8, $10000
DATA tens<>+40(SB)/8, $100000
DATA tens<>+48(SB)/8, $1000000
DATA tens<>+56(SB)/8, $10000000
GLOBL tens<>(SB), RODATA|NOPTR, $64

// SAME makes all lanes of a register that number; it uses R13.
#define SAME(number, to) \
	MOVQ         number, R13; \
	VPBROADCASTQ R13, to

// func addRowsVBMI2(p *plainState, r *rowRun, decimal *uint32, decimals int, text *byte, place *uint16, filled, before int) (lines int)
TEXT ·addRowsVBMI2(SB), NOSPLIT, $0-72
	MOVQ p+0(FP), DI
	MOVQ r+8(FP), SI
	MOVQ decimal+16(FP), R11
	MOVQ text+32(FP), R10
	MOVQ place+40(FP), R12
	MOVQ filled+48(FP), R9
	XORL AX, AX

	// The user with the separator behind them, and a mask of these bytes: at most seven bytes have them all in a word.
	MOVQ         rowRun_userEnd(SI), CX
	CMPQ         CX, $7
	JGT          done
	VPBROADCASTQ CX, Z16
	SHLQ         $3, CX
	MOVBLZX      rowRun_separator(SI), BX
	VPBROADCASTQ BX, Z17
	SHLQ         CX, BX
	ORQ          rowRun_user(SI), BX
	VPBROADCASTQ BX, Z18
	MOVQ         $0xff, R13
	SHLQ         CX, R13
	ORQ          rowRun_userBytes(SI), R13
	VPBROADCASTQ R13, Z19

	VPBROADCASTQ before+56(FP), Z20
	MOVQ         decimals+24(FP), R13
	DECQ         R13
	VPBROADCASTQ R13, Z21             // the last of decimal
	VMOVDQU64    lines<>(SB), Z10
	SAME($1, Z9)
	VPADDQ       Z9, Z10, Z11         // the end of the user
	VPADDQ       Z9, Z11, Z12         // of the item
	VPADDQ       Z9, Z12, Z13         // of the rating
	VMOVDQU64    tens<>(SB), Z14
	SAME($0xffff, Z15)
	SAME($2, Z22)
	SAME($8, Z23)
	SAME($72, Z24)
	SAME($0x3030303030303030, Z25)
	SAME($0x0909090909090909, Z26)
	SAME($0x010a010a010a010a, Z27)    // tens and ones of two digits
	SAME($0x0001006400010064, Z28)    // of two pairs
	SAME($10000, Z29)
	SAME($0xff, Z30)
	SAME($0x9e3779b97f4a7c15, Z31)
	MOVQ         $0x1111111111111111, R13
	KMOVQ        R13, K7              // the low 16 bits of each lane

eight:
	CMPQ R9, $(const_batchSize-8)
	JGT  done

	// Where the line begins in Z0; the ends of its fields in Z1, Z2 and Z3. Lanes of K1 are lines so far.
	VMOVDQU16 (R12), Z4
	VPERMW.Z  Z4, Z10, K7, Z0
	VPERMW.Z  Z4, Z11, K7, Z1
	VPERMW.Z  Z4, Z12, K7, Z2
	VPERMW.Z  Z4, Z13, K7, Z3
	VPADDQ    Z9, Z0, Z0
	VPADDQ    Z16, Z0, Z4
	VPCMPUQ   $1, Z15, Z3, K1
	VPCMPUQ   $1, Z20, Z0, K1, K1
	KMOVW     K1, K2
	KMOVW     K1, K3
	KMOVW     K1, K4
	VPCMPEQQ  Z4, Z1, K1, K1

	// The user.
	VPXORQ     Z5, Z5, Z5
	VPGATHERQQ (R10)(Z0*1), K2, Z5
	VPANDQ     Z19, Z5, Z5
	VPCMPEQQ   Z18, Z5, K1, K1

	// The item: one more than its digits in Z6, and these as the highest bytes of Z5.
	VPSUBQ     Z1, Z2, Z6
	VPXORQ     Z5, Z5, Z5
	VPGATHERQQ 1(R10)(Z1*1), K3, Z5
	VPXORQ     Z25, Z5, Z5
	VPSLLQ     $3, Z6, Z7
	VPSUBQ     Z7, Z24, Z7
	VPSLLVQ    Z7, Z5, Z5
	VPSUBUSB   Z26, Z5, Z7
	VPTESTNMQ  Z7, Z7, K1, K1
	VPSUBQ     Z22, Z6, Z6
	VPCMPUQ    $1, Z23, Z6, K1, K1
	VPMADDUBSW Z27, Z5, Z5
	VPMADDWD   Z28, Z5, Z5
	VPMULUDQ   Z29, Z5, Z7
	VPSRLQ     $32, Z5, Z5
	VPADDQ     Z7, Z5, Z5
	VPERMQ     Z14, Z6, Z7
	VPCMPUQ    $5, Z7, Z5, K1, K1      // no zero in front
	VPCMPUQ    $2, Z21, Z5, K1, K1
	VPMINUQ    Z21, Z5, Z5
	KXNORB     K2, K2, K2
	VPXORQ     Z8, Z8, Z8
	VPGATHERQD (R11)(Z5*4), K2, Y8
	VPTESTMD   Z8, Z8, K1, K1
	VPMOVQD    Z9, Y7
	VPSUBD     Y7, Y8, Y8
	VMOVDQU    Y8, plainState_item(DI)(R9*4)

	// The rating: its separator, itself and the end of the line in Z5, one more than its bytes in Z6.
	VPSUBQ     Z2, Z3, Z6
	VPSUBQ     Z22, Z6, Z7
	SAME($6, Z8)
	VPCMPUQ    $1, Z8, Z7, K1, K1
	VPXORQ     Z5, Z5, Z5
	VPGATHERQQ (R10)(Z2*1), K4, Z5
	VPANDQ     Z30, Z5, Z7
	VPCMPEQQ   Z17, Z7, K1, K1
	VPSLLQ     $3, Z6, Z6
	VPSRLVQ    Z6, Z5, Z7
	VPANDQ     Z30, Z7, Z7
	SAME($10, Z8)
	VPCMPEQQ   Z8, Z7, K1, K1
	SAME($64, Z8)
	VPSUBQ     Z6, Z8, Z7
	VPSLLVQ    Z7, Z5, Z5
	VPADDQ     Z23, Z7, Z7
	VPSRLVQ    Z7, Z5, Z5
	VPMULLQ    Z31, Z5, Z6
	VPSRLQ     $(64-const_knownBits), Z6, Z6
	VPADDQ     Z6, Z6, Z6
	KXNORB     K2, K2, K2
	KXNORB     K3, K3, K3
	VPXORQ     Z7, Z7, Z7
	VPGATHERQQ (plainState_known+knownText_text)(DI)(Z6*8), K2, Z7
	VPCMPEQQ   Z5, Z7, K1, K1
	VPXORQ     Z8, Z8, Z8
	VPGATHERQD (plainState_known+knownText_number)(DI)(Z6*8), K3, Y8
	VMOVDQU    Y8, plainState_number(DI)(R9*4)

	// Lines up to the first that is none.
	KMOVW  K1, BX
	CMPL   BX, $0xff
	JNE    some
	ADDQ   $8, AX
	ADDQ   $8, R9
	ADDQ   $48, R12
	JMP    eight

some:
	NOTL   BX
	TZCNTL BX, BX
	ADDQ   BX, AX

done:
	MOVQ AX, lines+64(FP)
	VZEROUPPER
	RET
