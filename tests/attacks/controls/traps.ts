/** Controls before irreversible steps. */
import type { Control } from './control.ts';

export const trapsControls: readonly Control[] = [
	{
		name: 'form-sent-once',
		stops: 'A form that is sent twice by a double click is carried out twice.',
		file: 'src/handle/once.ts',
		text: 'if (named === null) return answer();',
		replacement: "if (named === null || !stands('form-sent-once')) return answer();",
		attacks: ['form-sent-twice']
	},
	{
		name: 'signed-build',
		stops: 'A wallet that cannot sign answers with nothing, and nobody is told that it is locked.',
		file: 'src/lib/server/wallet/transactions/verifyTransaction.ts',
		text: "if (hex === '') throw new AppError('transaction.unsigned');",
		replacement:
			"if (hex === '' && stands('signed-build')) throw new AppError('transaction.unsigned');",
		attacks: ['transfer-that-nobody-signed']
	},
	{
		name: 'nine-decimals',
		stops: 'The daemon reads an amount of eight decimals one satoshi too low.',
		file: 'src/lib/server/wallet/transactions/use-cases/createToken.ts',
		text: 'const amount = daemonSpelling(supply);',
		replacement:
			"const exact = daemonSpelling(supply);\nconst amount = stands('nine-decimals') ? exact : exact.replace(/(\\.\\d{8})\\d$/, '$1');",
		attacks: ['amount-that-is-read-too-low']
	},
	{
		name: 'built-amount',
		stops: 'A token of another supply than the one that was asked for is shown for sending.',
		file: 'src/lib/server/wallet/transactions/verifyTransaction.ts',
		text: 'if (supply.value !== request.supply) {',
		replacement: "if (supply.value !== request.supply && stands('built-amount')) {",
		attacks: ['another-amount-than-asked'],
		behind: 'nine-decimals'
	},
	{
		name: 'payload-room',
		stops: 'A token is created whose payload no chain takes.',
		file: 'src/lib/server/wallet/transactions/use-cases/build.ts',
		text: "if (verdict.level === 'refuse') {",
		replacement: "if (verdict.level === 'refuse' && stands('payload-room')) {",
		attacks: ['payload-without-room']
	},
	{
		name: 'kept-outputs',
		stops: 'Two transactions that spend the same coins are reviewed side by side.',
		file: 'src/lib/server/wallet/locked-utxos/locks.ts',
		text: 'if (locked) break;',
		replacement: "if (locked || !stands('kept-outputs')) break;",
		attacks: ['two-reviews-of-the-same-coins']
	},
	{
		name: 'right-wallet',
		stops: 'A reviewed transaction goes out by a daemon that works with another key by now.',
		file: 'src/lib/server/wallet/transactions/wallet.ts',
		text: "const info = await gateway.call(record.id, 'getinfo', [], { anyChain: true });",
		replacement:
			"const info = await gateway.call(record.id, 'getinfo', [], { anyChain: true });\nif (!stands('right-wallet')) {\n\tconst { id: daemon, dataCarrierSize } = record;\n\tconst pubkey = info.pubkey ?? expected?.pubkey ?? '';\n\treturn { daemon, chain, pubkey, balance: info.balance ?? null, dataCarrierSize };\n}",
		attacks: ['send-by-another-wallet'],
		behind: 'measured-spends'
	},
	{
		name: 'sent-once',
		stops: 'A button that is pressed several times sends several times.',
		file: 'src/lib/server/wallet/transactions/use-cases/send.ts',
		text: 'if (!(await store.move(row.id, [row.state], sending, trx))) return;',
		replacement:
			"if (!(await store.move(row.id, [row.state], sending, trx)) && stands('sent-once')) return;",
		attacks: ['button-pressed-twice']
	},
	{
		name: 'looked-up-first',
		stops: 'What may be out already is sent again without a look.',
		file: 'src/lib/server/wallet/transactions/use-cases/send.ts',
		text: 'const isNew = UNSENT.includes(row.state);',
		replacement: "const isNew = UNSENT.includes(row.state) || !stands('looked-up-first');",
		attacks: ['sent-again-unseen']
	},
	{
		name: 'imported-once',
		stops: 'What somebody else has imported already is imported once more.',
		file: 'src/lib/server/wallet/transactions/use-cases/send.ts',
		text: 'const made = before === null ? null :',
		replacement: "const made = before === null || !stands('imported-once') ? null :",
		attacks: ['second-import']
	},
	{
		name: 'shared-id',
		stops: 'Coins are burned for a chain with another id, where they can never be imported.',
		file: 'src/lib/server/cross-chain/migration/preflight/identity.ts',
		text: 'if (from < fromLeast || to < toLeast) {',
		replacement:
			"if (!stands('shared-id')) {\n\tchecks.add('ok', 'ccid', { code: 'ccid.same', params: { ccid: from } });\n} else if (from < fromLeast || to < toLeast) {",
		attacks: ['burn-for-another-id']
	},
	{
		name: 'provable-burn',
		stops: 'Coins are burned although no proof of it can be made on the destination.',
		file: 'src/lib/server/cross-chain/migration/preflight/notarizations.ts',
		text: "const missing = approvals ? 'warn' : 'fail';",
		replacement: "const missing = approvals || !stands('provable-burn') ? 'warn' : 'fail';",
		attacks: ['burn-that-nothing-proves']
	},
	{
		name: 'relayed-import',
		stops: 'Coins are burned for a chain whose daemons refuse the import for its size.',
		file: 'src/lib/server/cross-chain/migration/preflight.ts',
		text: 'if (limit !== null && limit < TYPICAL_IMPORT_OUTPUT) {',
		replacement:
			"if (limit !== null && limit < TYPICAL_IMPORT_OUTPUT && stands('relayed-import')) {",
		attacks: ['import-that-is-not-relayed'],
		behind: 'shared-id'
	},
	{
		name: 'few-inputs',
		stops: 'A burn is asked for that would need more outputs than the daemon takes.',
		file: 'src/lib/server/cross-chain/migration/preflight/funds.ts',
		text: "} else if (verdict !== 'enough') {",
		replacement: "} else if (verdict !== 'enough' && stands('few-inputs')) {",
		attacks: ['burn-of-many-outputs']
	},
	{
		name: 'burn-last',
		stops: 'Change that lands behind a burn makes an end of it instead of another try.',
		file: 'src/lib/server/cross-chain/migration/customBurn.ts',
		text: 'if (!again || attempt === FUND_TRIES) throw error;',
		replacement: "if (!again || attempt === FUND_TRIES || !stands('burn-last')) throw error;",
		attacks: ['change-behind-the-burn']
	},
	{
		name: 'room-for-the-import',
		stops: 'Coins are burned by a transaction that leaves its import no room.',
		file: 'src/lib/server/cross-chain/migration/use-cases/draft.ts',
		text: '	size > ROOMY_BURN_BYTES\n',
		replacement: "	size > ROOMY_BURN_BYTES && stands('room-for-the-import')\n",
		attacks: ['burn-too-large-for-its-import']
	},
	{
		name: 'proven-payouts',
		stops: 'A burn is recovered with payouts that it was not made for.',
		file: 'src/lib/server/cross-chain/migration/use-cases/recipientsOf.ts',
		text: 'return bytesEqual(payoutsHash(payouts), hash) ? payouts : null;',
		replacement:
			"return bytesEqual(payoutsHash(payouts), hash) || !stands('proven-payouts') ? payouts : null;",
		attacks: ['burn-recovered-for-somebody-else']
	}
];
