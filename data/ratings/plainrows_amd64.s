//go:build amd64 && !purego

#include "go_asm.h"
#include "textflag.h"

// Words of eight bytes, and the factors of eightDigitsValue with their masks.
DATA zeros<>+0(SB)/8, $0x3030303030303030
GLOBL zeros<>(SB), RODATA|NOPTR, $8
DATA sixes<>+0(SB)/8, $0x0606060606060606
GLOBL sixes<>(SB), RODATA|NOPTR, $8
DATA highs<>+0(SB)/8, $0xf0f0f0f0f0f0f0f0
GLOBL highs<>(SB), RODATA|NOPTR, $8
DATA pairs<>+0(SB)/8, $0x00ff00ff00ff00ff
GLOBL pairs<>(SB), RODATA|NOPTR, $8
DATA fours<>+0(SB)/8, $0x0000ffff0000ffff
GLOBL fours<>(SB), RODATA|NOPTR, $8
DATA halves<>+0(SB)/8, $0x0000271000000001
GLOBL halves<>(SB), RODATA|NOPTR, $8
DATA golden<>+0(SB)/8, $0x9e3779b97f4a7c15
GLOBL golden<>(SB), RODATA|NOPTR, $8

// DIGITS goes on if all bytes of a word are below 10.
#define DIGITS(word, other, otherwise) \
	MOVQ  word, other;       \
	ADDQ  sixes<>(SB), other; \
	ORQ   word, other;       \
	TESTQ other, highs<>(SB); \
	JNE   otherwise

// VALUE makes the number that it writes out of a word of digits.
#define VALUE(word) \
	IMUL3Q $0xa01, word, word;    \
	SHRQ   $8, word;              \
	ANDQ   pairs<>(SB), word;     \
	IMUL3Q $0x640001, word, word; \
	SHRQ   $16, word;             \
	ANDQ   fours<>(SB), word;     \
	IMULQ  halves<>(SB), word;    \
	SHRQ   $32, word

// func addRowsBMI2(p *plainState, r *rowRun, decimal *uint32, decimals int, text *byte, size, filled, before int) (to, full int)
TEXT ·addRowsBMI2(SB), NOSPLIT, $0-80
	MOVQ    p+0(FP), DI
	MOVQ    r+8(FP), SI
	MOVQ    decimal+16(FP), R11
	MOVQ    text+32(FP), R10
	MOVQ    size+40(FP), R8
	MOVQ    filled+48(FP), R9
	MOVBLZX rowRun_separator(SI), DX

line:
	CMPQ  R8, before+56(FP)
	JGE   done
	LEAQ  (R10)(R8*1), R14
	MOVQ  R8, AX
	SHRQ  $3, AX
	MOVQ  plainState_marks(DI)(AX*1), BX
	MOVL  R8, CX
	ANDL  $7, CX
	SHRXQ CX, BX, BX                      // marks of the line

	// The user.
	MOVQ   (R14), AX
	ANDQ   rowRun_userBytes(SI), AX
	CMPQ   AX, rowRun_user(SI)
	JNE    done
	TZCNTQ BX, AX
	CMPQ   AX, rowRun_userEnd(SI)
	JNE    done
	CMPB   DX, (R14)(AX*1)
	JNE    done

	// The end of the item in AX, and of the rating in CX; where the next line begins in R13.
	BLSRQ  BX, BX
	JEQ    done
	TZCNTQ BX, AX
	BLSRQ  BX, BX
	JEQ    done
	CMPB   DX, (R14)(AX*1)
	JNE    done
	TZCNTQ BX, CX
	CMPB   rowRun_timed(SI), $0
	JNE    timed
	LEAQ   1(R8)(CX*1), R13
	CMPB   (R14)(CX*1), $10
	JNE    done
	CMPB   -1(R14)(CX*1), $13
	JNE    item
	DECQ   CX
	JMP    item

timed:
	BLSRQ  BX, BX
	JEQ    done
	CMPB   DX, (R14)(CX*1)
	JNE    done
	TZCNTQ BX, BX
	LEAQ   1(R8)(BX*1), R13
	CMPB   (R14)(BX*1), $10
	JNE    done
	CMPB   -1(R14)(BX*1), $13
	JNE    time
	DECQ   BX

time:
	MOVQ  BX, R15
	SUBQ  CX, R15
	SUBQ  rowRun_gap(SI), R15 // digits
	SUBQ  $9, R15
	CMPQ  R15, $2
	JHI   done
	NEGQ  R15
	LEAQ  56(R15*8), R15      // bits of the word before the last eight digits that are none of its own
	MOVQ  -16(R14)(BX*1), R12
	XORQ  zeros<>(SB), R12
	SHRXQ R15, R12, R12
	SHLXQ R15, R12, R12
	CMPQ  R12, rowRun_era(SI)
	JNE   era

tail:
	MOVQ -8(R14)(BX*1), R12
	XORQ zeros<>(SB), R12
	DIGITS(R12, R15, done)
	VALUE(R12)
	ADDQ rowRun_eraBegins(SI), R12
	MOVQ R12, plainState_when(DI)(R9*8)

item:
	MOVQ  rowRun_item(SI), BX
	MOVQ  (R14)(BX*1), R15
	XORQ  zeros<>(SB), R15
	TESTB R15, R15
	JEQ   done
	SUBQ  AX, BX
	LEAQ  8(BX), R12
	CMPQ  R12, $8
	JCC   done
	SHLQ  $3, BX
	SHLXQ BX, R15, R15
	DIGITS(R15, R12, done)
	VALUE(R15)
	CMPQ  R15, decimals+24(FP)
	JCC   done
	MOVL  (R11)(R15*4), R15
	TESTL R15, R15
	JEQ   done

	// The rating.
	ADDQ  rowRun_gap(SI), AX
	SUBQ  AX, CX
	LEAQ  -1(CX), BX
	CMPQ  BX, $8
	JCC   done
	SHLQ  $3, CX
	MOVQ  (R14)(AX*1), AX
	BZHIQ CX, AX, AX
	MOVQ  AX, BX
	IMULQ golden<>(SB), BX
	SHRQ  $(64-const_knownBits), BX
	SHLQ  $4, BX
	CMPQ  AX, plainState_known+knownText_text(DI)(BX*1)
	JNE   done
	MOVL  plainState_known+knownText_number(DI)(BX*1), AX
	DECL  R15
	MOVL  R15, plainState_item(DI)(R9*4)
	MOVL  AX, plainState_number(DI)(R9*4)
	INCQ  R9
	MOVQ  R13, R8
	JMP   line

era:
	DIGITS(R12, R15, done)
	MOVQ   R12, R15
	VALUE(R15)
	IMUL3Q $100000000, R15, R15
	MOVQ   R12, rowRun_era(SI)
	MOVQ   R15, rowRun_eraBegins(SI)
	JMP    tail

done:
	MOVQ R8, to+64(FP)
	MOVQ R9, full+72(FP)
	RET
