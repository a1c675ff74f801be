//go:build !purego

#include "textflag.h"

// A byte is a mark if the place of its lower four bits in this table has the byte: "\n" is 0x0a, a quote 0x22, and
// a backslash 0x5c. No byte is equal to another place: 0 has not the lower bits of 1 to 15, 1 not those of 0.
DATA ·table+0(SB)/8, $0x0000000000220001
DATA ·table+8(SB)/8, $0x0000005c000a0000
GLOBL ·table(SB), RODATA|NOPTR, $16

// STORE stores the index of the lowest bit of AX, if there is one, and clears the bit.
#define STORE(at) \
	TZCNTQ AX, DX   \
	ADDL   R8, DX   \
	MOVW   DX, at   \
	BLSRQ  AX, AX

// func findVectors(to *[MaxText + slack]uint16, text *byte, n int) (found int)
TEXT ·findVectors(SB), NOSPLIT, $0-32
	MOVQ to+0(FP), DI
	MOVQ text+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ DI, R9            // the beginning of the list
	XORL R8, R8            // the index of the 64 bytes
	VBROADCASTI128 ·table(SB), Y0

vector:
	VMOVDQU   (SI), Y1
	VMOVDQU   32(SI), Y2
	VPSHUFB   Y1, Y0, Y3   // the place in the table of each byte; 0 for bytes above 0x7f
	VPSHUFB   Y2, Y0, Y4
	VPCMPEQB  Y1, Y3, Y3
	VPCMPEQB  Y2, Y4, Y4
	VPMOVMSKB Y3, AX
	VPMOVMSKB Y4, BX
	SHLQ      $32, BX
	ORQ       BX, AX       // a bit for each of 64 bytes
	POPCNTQ   AX, BX

	// A wrong prediction costs more than storing indices that are not there, which the next ones overwrite.
	STORE(0(DI))
	STORE(2(DI))
	STORE(4(DI))
	STORE(6(DI))
	CMPQ BX, $4
	JLS  next
	STORE(8(DI))
	STORE(10(DI))
	STORE(12(DI))
	STORE(14(DI))
	CMPQ BX, $8
	JLS  next
	LEAQ 16(DI), R10

more:
	STORE(0(R10))
	ADDQ  $2, R10
	TESTQ AX, AX
	JNZ   more

next:
	LEAQ (DI)(BX*2), DI
	ADDQ $64, SI
	ADDL $64, R8
	DECQ CX
	JNZ  vector

	VZEROUPPER
	SUBQ R9, DI
	SHRQ $1, DI
	MOVQ DI, found+24(FP)
	RET
