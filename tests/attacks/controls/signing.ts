/** Controls of signatures, and of the recipients of signed bytes. */
import type { Control } from './control.ts';

export const signingControls: readonly Control[] = [
	{
		name: 'signatures-in-answers',
		stops: 'An answer hands out signatures that do not cover the outputs.',
		file: 'src/lib/server/access/calls/releaseAnswer.ts',
		text: 'const why = await signatureRefusal(',
		replacement: "const why = !stands('signatures-in-answers') ? null : await signatureRefusal(",
		attacks: ['foreign-signature-beside-ours'],
		behind: 'measured-spends'
	},
	{
		name: 'hash-type',
		stops: 'A daemon is asked for a signature that does not cover the outputs.',
		file: 'src/lib/server/chains/daemon/signatures.ts',
		text: "if (given === 'null' || given === '\"ALL\"') return null;",
		replacement:
			"if (given === 'null' || given === '\"ALL\"' || !stands('hash-type')) return null;",
		attacks: ['hash-type-in-a-parameter'],
		behind: 'signatures-in-answers'
	},
	{
		name: 'frozen-signatures',
		stops: 'Something is signed while all sends are frozen.',
		file: 'src/lib/server/access/policy/safety-controls/safetyControls.ts',
		text: 'if (freeze && signs) return',
		replacement: "if (freeze && signs && stands('frozen-signatures')) return",
		attacks: ['sign-while-frozen']
	},
	{
		name: 'bytes-before-confirmation',
		stops:
			'A review, or the file of a migration, hands out signed bytes before anybody confirmed them.',
		file: 'src/lib/server/wallet/transactions/bytes.ts',
		text: "if (status !== 'confirmed') return status === 'public';",
		replacement:
			"if (status !== 'confirmed') return status === 'public' || !stands('bytes-before-confirmation');",
		attacks: ['bytes-of-a-review']
	},
	{
		name: 'bytes-for-senders',
		stops: 'Signed bytes that are on no network yet are read by somebody who may not send them.',
		file: 'src/lib/server/wallet/transactions/bytes.ts',
		text: 'if ((await rights.walletRefusal(account.name, daemon)) !== null) return false;',
		replacement:
			"if ((await rights.walletRefusal(account.name, daemon)) !== null && stands('bytes-for-senders')) return false;",
		attacks: ['bytes-of-an-unknown-send']
	},
	{
		name: 'published-when-mined',
		stops: 'A signed burn is published for notaries, and for everybody, before a block holds it.',
		file: 'src/lib/server/cross-chain/notary-approvals/publication.ts',
		text: "const isMined = Boolean(steps.get('burn-confirmed')?.doneAt);",
		replacement:
			"const isMined = Boolean(steps.get('burn-confirmed')?.doneAt) || !stands('published-when-mined');",
		attacks: ['bytes-of-a-burn-that-is-in-no-block']
	}
];
