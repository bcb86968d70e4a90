/** Controls of spending limits. */
import type { Control } from './control.ts';

const MEASURE_CALL = 'src/lib/server/access/rights/measureCall.ts';
const MEASURE_SPEND = 'src/lib/server/access/rights/measureSpend.ts';
const MEASURE = 'src/lib/server/access/policy/measuring/measure.ts';

export const spendingControls: readonly Control[] = [
	{
		name: 'own-references',
		stops: 'Calls that share an id of the caller count once.',
		edits: [
			{
				file: MEASURE_CALL,
				text: "import { randomUUID } from 'node:crypto';",
				replacement:
					"import { randomUUID } from 'node:crypto';\nimport { currentCallerId } from '../audit/context.ts';"
			},
			{
				file: MEASURE_CALL,
				text: 'ref: string = randomUUID()',
				replacement:
					"ref: string = stands('own-references') ? randomUUID() : (currentCallerId() ?? randomUUID())"
			}
		],
		attacks: ['three-sends-with-one-request-id']
	},
	{
		name: 'units-out-of-units',
		stops: 'Coins on a condition pass for units of a token that never went in.',
		file: MEASURE,
		text: "const units = payload?.kind === 'transfer' ? movedUnits(tx, spent, payload, wallet) : 0n;",
		replacement:
			"const units = payload?.kind !== 'transfer' ? 0n : stands('units-out-of-units') ? movedUnits(tx, spent, payload, wallet) : valueOf(tx.vout.filter(isCondition));",
		attacks: ['coins-under-an-invented-token']
	},
	{
		name: 'burned-coins',
		stops: 'A burn that names a token creation counts nothing, whatever coins it burns.',
		file: MEASURE,
		text: '{ kind, amount: ofKind + made },',
		replacement:
			"{ kind, amount: kind === 'migration' && !stands('burned-coins') ? 0n : ofKind + made },",
		attacks: ['burn-with-a-token-creation-inside']
	},
	{
		name: 'own-interest',
		stops: 'The interest of a wallet pays somebody else, without a limit.',
		file: MEASURE,
		text: 'valueOf(tx.vout.filter((output) => !isOwn(output, wallet)));',
		replacement:
			"valueOf(tx.vout.filter((output) => stands('own-interest') && !isOwn(output, wallet)));",
		attacks: ['interest-to-somebody-else']
	},
	{
		name: 'fee-cap',
		stops: 'A wallet is emptied into the fee of one transaction.',
		file: MEASURE_SPEND,
		text: 'if (fee > cap)',
		replacement: "if (fee > cap && stands('fee-cap'))",
		attacks: ['coins-to-the-miner']
	},
	{
		name: 'self-imports-counted',
		stops: 'Coins are created out of nothing, without end.',
		file: MEASURE,
		text: "return { kind: 'self-import', meant: 0n, made };",
		replacement:
			"return { kind: 'self-import', meant: 0n, made: stands('self-imports-counted') ? made : 0n };",
		attacks: ['coins-out-of-nothing']
	},
	{
		name: 'measured-spends',
		stops: 'What cannot be read goes out uncounted.',
		file: MEASURE_SPEND,
		text: 'const read = await measurer.measure(wallet, hex, payouts);',
		replacement:
			"const read = stands('measured-spends') ? await measurer.measure(wallet, hex, payouts) : await measurer.measure(wallet, hex, payouts).catch(() => ({ chain: deps.gateway.daemon(wallet)?.chain ?? wallet, txid: hex.slice(-64), usages: [], fee: 0n, movements: [], doubt: null, recipients: [] }));",
		attacks: ['spend-that-cannot-be-read']
	}
];
