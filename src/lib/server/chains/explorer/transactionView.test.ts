import { describe, expect, it } from 'vitest';
import { burnScript, parseBurn } from '#lib/chain/burn.ts';
import { parseTransaction, serializeTransaction } from '#lib/chain/transaction.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { buildImport, parseImport } from '#lib/chain/importProof.ts';
import { headlineMessage } from '#lib/messages/headlines.ts';
// Recorded from running daemons of release 0.9.0.
import recorded from './testdata/transactions.json' with { type: 'json' };
import { transactionKind, viewTransaction, type Surroundings } from './transactionView.ts';

const nowhere: Surroundings = {
	chain: 'HERE',
	prevouts: new Map(),
	spends: new Map()
};

const view = (hex: string, around: Partial<Surroundings> = {}) =>
	viewTransaction(parseTransaction(hex), { ...nowhere, ...around });

describe('a transaction is explained from its bytes:', () => {
	it('a token creation names the token, its marker and its units', () => {
		const seen = view(recorded.creation);
		expect(seen.kind).toBe('token-create');
		expect(seen.outputs.map((output) => output.kind)).toEqual([
			'token-marker',
			'token-units',
			'pubkey',
			'token-data'
		]);
		expect(seen.content).toMatchObject({ code: 'token-creation', tokenid: seen.txid });
	});

	it('a transfer says which key holds each token output', () => {
		const seen = view(recorded.transfer);
		expect(seen.kind).toBe('token-transfer');
		expect(seen.inputs.some((input) => input.kind === 'crypto-condition')).toBe(true);
		const units = seen.outputs.filter((output) => output.kind === 'token-units');
		expect(units.length).toBe(2);
		for (const output of units) expect(output.holder).toMatch(/^0[23][0-9a-f]{64}$/);
	});

	it('a transfer says how many units go to which key', () => {
		const { headline } = view(recorded.transfer);
		expect(headlineMessage(headline)).toMatch(
			/^Transfers [\d\u202f]+ base units of a token to 0[23]\w{6}…\w{8}$/
		);
	});

	it('a non-fungible token is found by the module that opens its input', () => {
		const [first] = view(recorded.nftTransfer).outputs;
		expect(first?.kind).toBe('token-units');
		expect(first?.holder).not.toBeNull();
	});

	it('a burn says where the coins go', () => {
		const seen = view(recorded.burn);
		expect(seen.kind).toBe('burn');
		expect(headlineMessage(seen.headline)).toBe('Burns 4.3501 HERE for TXSCLDST');
		expect(seen.outputs.at(-1)).toMatchObject({
			kind: 'burn-data',
			spendable: false,
			value: 435010000n
		});
	});

	it('a burn for a name that is too long for any chain shows its beginning', () => {
		const tx = parseTransaction(recorded.burn);
		const last = tx.vout.at(-1)!;
		const script = burnScript({ ...parseBurn(tx)!, targetSymbol: 'X'.repeat(5_000) });
		const vout = [...tx.vout.slice(0, -1), { ...last, script }];
		const seen = view(bytesToHex(serializeTransaction({ ...tx, vout })));
		const target = `${'X'.repeat(64)}…`;
		expect(seen.content).toMatchObject({ code: 'burn', target });
		expect(seen.headline).toMatchObject({ code: 'burn', target });
	});

	it('an import leads back to the burn on its source chain and has no fee of its own', () => {
		const seen = view(recorded.import);
		expect(seen.kind).toBe('import');
		expect(seen.fee).toBeNull();
		expect(seen.inputs).toMatchObject([{ kind: 'import' }]);
		expect(seen.content).toMatchObject({
			code: 'import',
			source: 'TXSCLSRC',
			burnTxid: seen.inputs[0]?.txid
		});
	});

	it('an import whose burn does not name its source is no self-import', () => {
		const { burnTx, payouts, proof } = parseImport(parseTransaction(recorded.import))!;
		const script = burnScript({ ...parseBurn(burnTx)!, sourceSymbol: '' });
		const vout = [...burnTx.vout.slice(0, -1), { ...burnTx.vout.at(-1)!, script }];
		const unnamed = buildImport({ ...burnTx, vout }, payouts, proof);
		const seen = view(bytesToHex(serializeTransaction(unnamed)));
		expect(seen.content).toMatchObject({ code: 'import', source: null });
		expect(headlineMessage(seen.headline)).toMatch(/^Imports .+ HERE, source chain not named$/);
	});

	it('an imported token is told from imported coins', () => {
		expect(view(recorded.tokenImport).kind).toBe('token-import');
	});

	it('a self-import names its source transaction', () => {
		const seen = view(recorded.selfImport);
		expect(headlineMessage(seen.headline)).toMatch(/^Creates .+ HERE by self-import$/);
		expect(seen.content).toMatchObject({
			code: 'self-import',
			sourceTxid: expect.stringMatching(/^[0-9a-f]{64}$/) as string
		});
	});

	it('a notarization on KMD names chain, block and MoM', () => {
		const seen = view(recorded.notarization, { chain: 'KMD' });
		expect(seen.kind).toBe('notarization');
		expect(headlineMessage(seen.headline)).toBe('Notarizes TXSCLSRC up to block 15');
		expect(seen.content).toMatchObject({
			code: 'notarization',
			mom: { root: expect.stringMatching(/^[0-9a-f]{64}$/) as string }
		});
	});

	it('an approval names the burn that it proves', () => {
		const seen = view(recorded.approval);
		expect(seen.kind).toBe('notary-approval');
		expect(seen.content).toMatchObject({
			code: 'approval',
			burns: [expect.stringMatching(/^[0-9a-f]{64}$/) as string]
		});
	});
});

describe('the fee', () => {
	const input = parseTransaction(recorded.burn).vin[0]!;
	const paid = parseTransaction(recorded.burn).vout.reduce((sum, out) => sum + out.value, 0n);

	it('is what the inputs hold above the outputs', () => {
		const prevouts = new Map([
			[`${input.txid}:${input.vout}`, { value: paid + 10_000n, address: null }]
		]);
		expect(view(recorded.burn, { prevouts }).fee).toBe(10_000n);
	});

	it('is not guessed on KMD where its inputs may have earned interest', () => {
		const worth = (value: bigint) => ({
			chain: 'KMD',
			prevouts: new Map([[`${input.txid}:${input.vout}`, { value, address: null }]])
		});
		const tx = parseTransaction(recorded.burn);
		const paying = (value: bigint) =>
			bytesToHex(serializeTransaction({ ...tx, vout: [{ ...tx.vout[0]!, value }] }));
		const most = 10n * 100_000_000n;
		expect(view(paying(most - 10_001n), worth(most - 1n)).fee).toBe(10_000n);
		expect(view(paying(most - 10_000n), worth(most)).fee).toBeNull();
		expect(view(paying(most - 10_000n), { ...worth(most), chain: 'HERE' }).fee).toBe(10_000n);
	});

	it('is not guessed while an input is not known', () => {
		expect(view(recorded.burn).fee).toBeNull();
	});
});

it('a list knows the kind without the surroundings', () => {
	expect(transactionKind(parseTransaction(recorded.burn), 'HERE')).toBe('burn');
	expect(transactionKind(parseTransaction(recorded.notarization), 'KMD')).toBe('notarization');
});
