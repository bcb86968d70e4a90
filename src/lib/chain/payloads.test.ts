/** Payloads parse back to what was serialized; proofs lead to the expected roots. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesEqual, bytesToHex, displayHash, hexToBytes, internalHash } from './bytes.ts';
import { burnPayload, burnScript, IMPORT_FEE, parseBurn, payoutsHash } from './burn.ts';
import { BURN_PUBKEY, tokenScript } from './cryptocondition.ts';
import {
	buildImport,
	looksLikeImport,
	parseImport,
	proofRoot,
	type ImportProof
} from './importProof.ts';
import { publicKeyOf } from './key.ts';
import { execBranch, merkleBranch, merkleRoot, momOf, momomOf } from './merkle.ts';
import { parseNotarization, serializeNotarization, type Notarization } from './notarization.ts';
import { classify, nulldataOf, opReturn } from './script.ts';
import {
	buildSelfImport,
	parseSelfImportSource,
	quasiBurn,
	selfImportSourceScript
} from './selfImport.ts';
import {
	bytes,
	hash,
	privateKey,
	satoshi,
	script,
	txid,
	u32,
	version4
} from './testdata/arbitrary.ts';
import { BLOB, parseTokenPayload, tokenCreateScript, tokenTransferScript } from './token.ts';
import {
	parseTransaction,
	serializeTransaction,
	transparent,
	txidOf,
	type TxOut
} from './transaction.ts';

const symbol = fc.stringMatching(/^[A-Z][A-Z0-9]{0,12}$/);
const pubkey = privateKey.map(publicKeyOf);
const payouts = fc.array(fc.record({ value: satoshi, script }), { minLength: 1, maxLength: 3 });

const proof: fc.Arbitrary<ImportProof> = fc.oneof(
	fc.record({
		kind: fc.constant('txproof' as const),
		txid,
		index: fc.nat(100_000),
		branch: fc.array(hash, { maxLength: 12 })
	}),
	fc.record({ kind: fc.constant('approvals' as const), txids: fc.array(txid, { maxLength: 7 }) }),
	fc.record({ kind: fc.constant('merkleblock' as const), bytes: bytes(60) })
);

describe('merkle trees', () => {
	test('every branch leads from its leaf to the root', () => {
		fc.assert(
			fc.property(
				fc.uniqueArray(hash, { minLength: 1, maxLength: 40, comparator: bytesEqual }),
				fc.nat(),
				(leaves, pick) => {
					const index = pick % leaves.length;
					const branch = merkleBranch(leaves, index);
					const root = merkleRoot(leaves);
					// The last leaf of an odd level is its own sibling on the right, where equal hashes are
					// allowed.
					expect(displayHash(execBranch(leaves[index]!, index, branch))).toBe(displayHash(root));
				}
			)
		);
	});

	test('a chain of two trees is one branch with one index', () => {
		fc.assert(
			fc.property(
				fc.uniqueArray(hash, { minLength: 2, maxLength: 9, comparator: bytesEqual }),
				fc.uniqueArray(hash, { minLength: 2, maxLength: 9, comparator: bytesEqual }),
				fc.nat(),
				fc.nat(),
				(txids, otherRoots, a, b) => {
					const txIndex = a % txids.length;
					const blockIndex = b % otherRoots.length;
					const roots = otherRoots.map((root, i) => (i === blockIndex ? merkleRoot(txids) : root));
					const inner = merkleBranch(txids, txIndex);
					const outer = merkleBranch(roots, blockIndex);
					const index = blockIndex * 2 ** inner.length + txIndex;
					expect(displayHash(execBranch(txids[txIndex]!, index, [...inner, ...outer]))).toBe(
						displayHash(momOf(roots))
					);
				}
			)
		);
	});

	test('one leaf is its own root, no leaf has a root of zeros', () => {
		const leaf = new Uint8Array(32).fill(3);
		expect(displayHash(merkleRoot([leaf]))).toBe(displayHash(leaf));
		expect(displayHash(merkleRoot([]))).toBe('0'.repeat(64));
		expect(displayHash(momomOf([]))).toBe('0'.repeat(64));
		expect(merkleBranch([leaf], 0)).toEqual([]);
		expect(() => merkleBranch([leaf], 1)).toThrow(RangeError);
		expect(() => merkleBranch([leaf], -1)).toThrow(RangeError);
	});
});

describe('notarizations', () => {
	const base = { blockHash: txid, height: u32, symbol };
	const withMom = { mom: hash, momDepth: fc.nat(0xffff), ccid: fc.nat(0xffff) };
	const kmd: fc.Arbitrary<Notarization> = fc.oneof(
		fc.record(base),
		fc.record({ ...base, ...withMom })
	);
	const back: fc.Arbitrary<Notarization> = fc.oneof(
		fc.record({ ...base, kmdTxid: txid }),
		fc.record({ ...base, kmdTxid: txid, ...withMom }),
		fc.record({ ...base, kmdTxid: txid, ...withMom, momom: hash, momomDepth: u32 })
	);

	test.each([
		['kmd', kmd],
		['back', back]
	] as const)('of the form %s are read as they were written', (form, arbitrary) => {
		fc.assert(
			fc.property(arbitrary, (nota) => {
				expect(parseNotarization(opReturn(serializeNotarization(nota, form)), form)).toEqual(nota);
			})
		);
	});

	test('a byte behind the end makes a payload unreadable', () => {
		fc.assert(
			fc.property(back, (nota) => {
				const longer = Uint8Array.of(...serializeNotarization(nota, 'back'), 0);
				expect(parseNotarization(opReturn(longer), 'back')).toBeNull();
			})
		);
	});
});

describe('tokens', () => {
	const blobs = fc.array(fc.record({ id: fc.integer({ min: 0, max: 255 }), data: bytes(40) }), {
		maxLength: 3
	});

	test('creations are read as they were written', () => {
		fc.assert(
			fc.property(
				fc.record({ owner: pubkey, name: fc.string(), description: fc.string(), blobs }),
				(creation) => {
					expect(parseTokenPayload(tokenCreateScript(creation))).toEqual({
						kind: 'create',
						...creation
					});
				}
			)
		);
	});

	test('transfers are read as they were written, the tokenid in display order', () => {
		fc.assert(
			fc.property(
				fc.record({ tokenid: txid, destPubkeys: fc.array(pubkey, { maxLength: 2 }), blobs }),
				(transfer) => {
					const output = tokenTransferScript(transfer);
					expect(parseTokenPayload(output)).toEqual({ kind: 'transfer', ...transfer });
					expect(bytesToHex(output)).toContain(`f274${transfer.tokenid}`);
				}
			),
			{ numRuns: 50 }
		);
	});

	test('data of early releases, which has no id, is that of its module', () => {
		const transfer = { tokenid: 'ab'.repeat(32), destPubkeys: [] };
		const withData = (data: readonly number[]) => {
			const payload = nulldataOf(tokenTransferScript({ ...transfer, blobs: [] }))!;
			return parseTokenPayload(opReturn(Uint8Array.of(...payload, data.length, ...data)));
		};
		const sale = [0xe3, 0x73, 1, 2];
		expect(withData(sale)).toMatchObject({
			blobs: [{ id: BLOB.assets, data: Uint8Array.of(...sale) }]
		});
		expect(withData([0x11, 0x52, 1])).toMatchObject({ blobs: [{ id: BLOB.rogue }] });
		// Neither a function of the module nor a blob with an id.
		expect(withData([0xe3, 0x7a, 1, 2])).toBeNull();
	});
});

describe('burns and imports of coins', () => {
	const migration = fc
		.record({
			tx: version4,
			amount: satoshi,
			paid: payouts,
			targetCcid: fc.integer({ min: 100, max: 65_535 }),
			targetSymbol: symbol,
			sourceSymbol: symbol
		})
		.map(({ tx, amount, paid, ...facts }) => {
			const burn = { ...facts, payoutsHash: payoutsHash(paid) };
			const output = { value: amount + IMPORT_FEE, script: burnScript(burn) };
			return { burn, paid, burnTx: { ...tx, vout: [...tx.vout, output] }, value: output.value };
		});

	test('a burn whose source is described by unreadable bytes is one all the same', () => {
		const facts = {
			targetCcid: 777,
			targetSymbol: 'BETA',
			payoutsHash: new Uint8Array(32),
			sourceSymbol: ''
		};
		const described = (...bytes: number[]) => {
			const empty = burnPayload(facts).slice(0, -1);
			const script = opReturn(Uint8Array.of(...empty, bytes.length, ...bytes));
			return parseBurn(transparent({ vin: [], vout: [{ value: 5n, script }] }));
		};
		expect(described(5)).toEqual({ ...facts, value: 5n });
		expect(described(1, 0x41, 9)).toEqual({ ...facts, sourceSymbol: 'A', value: 5n });
	});

	test('a burn is read as it was written', () => {
		fc.assert(
			fc.property(migration, ({ burn, burnTx, value }) => {
				expect(parseBurn(burnTx)).toEqual({ ...burn, value });
			})
		);
	});

	test('an import is read as it was built and built again to the same bytes', () => {
		fc.assert(
			fc.property(migration, proof, ({ burnTx, paid }, evidence) => {
				const built = buildImport(burnTx, paid, evidence);
				expect(looksLikeImport(built)).toBe(true);
				const again = parseImport(parseTransaction(serializeTransaction(built)))!;
				expect(again).toEqual({ burnTx, payouts: paid, proof: evidence });
				expect(txidOf(buildImport(again.burnTx, again.payouts, again.proof))).toBe(txidOf(built));
			})
		);
	});

	test('the root of an import is where its branch leads; approvals have none', () => {
		fc.assert(
			fc.property(migration, proof, ({ burnTx, paid }, evidence) => {
				const root = displayHash(proofRoot(buildImport(burnTx, paid, evidence)));
				const expected =
					evidence.kind === 'txproof'
						? execBranch(internalHash(txidOf(burnTx)), evidence.index, evidence.branch)
						: new Uint8Array(32);
				expect(root).toBe(displayHash(expected));
			})
		);
	});

	test('before Sapling an import has version 1', () => {
		const [sample] = fc.sample(migration, 1);
		const built = buildImport(
			sample!.burnTx,
			sample!.paid,
			{ kind: 'approvals', txids: [] },
			7,
			'original'
		);
		expect(built).toMatchObject({ version: 1, overwintered: false, expiryHeight: 0 });
		expect(parseImport(parseTransaction(serializeTransaction(built)))).not.toBeNull();
	});
});

describe('burns and imports of tokens', () => {
	const owner = publicKeyOf(Uint8Array.of(0x11, ...new Uint8Array(31)));
	const [creationTx] = fc.sample(version4, 1);
	const creation = { owner, name: 'TOK', description: 'a token', blobs: [] };
	const tokenCreationTx = {
		...creationTx!,
		vout: [
			{ value: 100n, script: tokenScript(owner) },
			{ value: 0n, script: tokenCreateScript(creation) }
		]
	};
	const paid: TxOut[] = [
		{ value: 10_000n, script: tokenScript(owner) },
		{ value: 0n, script: tokenCreateScript(creation) }
	];

	test('the burn lies in the token payload, the proof in the payload of the last payout', () => {
		const facts = {
			targetCcid: 777,
			targetSymbol: 'BETA',
			payoutsHash: payoutsHash(paid),
			sourceSymbol: 'ALPHA',
			tokenCreationTx
		};
		const payload = burnPayload(facts);
		const burnTx = {
			...creationTx!,
			vout: [
				{ value: 1n, script: tokenScript(BURN_PUBKEY) },
				{
					value: IMPORT_FEE,
					script: tokenTransferScript({
						tokenid: txidOf(tokenCreationTx),
						destPubkeys: [BURN_PUBKEY],
						blobs: [{ id: BLOB.burn, data: payload }]
					})
				}
			]
		};
		expect(parseBurn(burnTx)).toEqual({ ...facts, value: IMPORT_FEE });

		const built = buildImport(burnTx, paid, { kind: 'approvals', txids: ['ab'.repeat(32)] });
		expect(built.vout).toHaveLength(paid.length);
		const parts = parseImport(built)!;
		expect(bytesToHex(payoutsHash(parts.payouts))).toBe(bytesToHex(facts.payoutsHash));
		expect(txidOf(parts.burnTx)).toBe(txidOf(burnTx));
		expect(parseTokenPayload(built.vout.at(-1)!.script)).toMatchObject({
			kind: 'create',
			name: 'TOK'
		});
	});

	test('an import repeats a name and a description of any bytes, and keeps the hash of its payouts', () => {
		fc.assert(
			fc.property(
				fc.uint8Array({ maxLength: 12 }),
				fc.uint8Array({ maxLength: 12 }),
				(name, text) => {
					const script = tokenCreateScript({
						...creation,
						bytes: { name, description: text }
					});
					const made = parseTokenPayload(script);
					expect(made?.kind === 'create' && bytesToHex(tokenCreateScript(made))).toBe(
						bytesToHex(script)
					);
					const outputs = [paid[0]!, { value: 0n, script }];
					const built = buildImport(creationTx!, outputs, { kind: 'approvals', txids: [] });
					const { payouts: again } = parseImport(built)!;
					expect(bytesToHex(payoutsHash(again))).toBe(bytesToHex(payoutsHash(outputs)));
				}
			),
			{ examples: [[Uint8Array.of(0xff, 0xfe), Uint8Array.of(0xef, 0xbb, 0xbf, 0x41)]] }
		);
	});
});

describe('a payload', () => {
	test('is read up to its end, whatever follows it in the script', () => {
		const script = selfImportSourceScript(100_000n);
		const with_ = (...more: number[]) => nulldataOf(Uint8Array.of(...script, ...more));
		expect(with_(0xac)).toEqual(with_());
		expect(with_(0x4c)).toEqual(with_());
		expect(classify(Uint8Array.of(...script, 0xac)).type).toBe('nonstandard');
		for (const none of ['', '6a', '6a00', '6a51', '6aac', '6a05ab', '6a4c', '51', '6a4d01']) {
			expect(nulldataOf(hexToBytes(none)), none).toBeNull();
		}
	});
});

describe('self-imports', () => {
	test('are built from their source and read back', () => {
		fc.assert(
			fc.property(version4, satoshi, payouts, (tx, amount, paid) => {
				const source = {
					...tx,
					vout: [...tx.vout, { value: 0n, script: selfImportSourceScript(amount) }]
				};
				expect(parseSelfImportSource(source)).toBe(amount);
				const built = buildSelfImport(source, paid);
				const parts = parseImport(built)!;
				expect(parts.proof).toEqual({
					kind: 'txproof',
					txid: txidOf(source),
					index: 0,
					branch: []
				});
				expect(txidOf(parts.burnTx)).toBe(txidOf(quasiBurn(source, paid)));
				expect(parseBurn(parts.burnTx)).toMatchObject({
					targetCcid: 0xffffffff,
					targetSymbol: 'PUBKEY',
					sourceSymbol: '',
					value: paid[0]!.value
				});
			})
		);
	});
});
