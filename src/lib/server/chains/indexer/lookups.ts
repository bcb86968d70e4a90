/** Outputs and tokens of earlier blocks that a new batch may refer to; recent ones are kept in memory. */
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import type { ScriptType } from '#lib/chain/script.ts';
import { chunks } from '../../platform/database/chunks.ts';
import type { IndexTrx } from './bulk.ts';
import type { KnownOutput, KnownToken } from './found.ts';

/** Outputs kept, some 30 MB. Most outputs are spent soon after they were created. */
const CACHED_OUTPUTS = 100_000;
const CACHED_TOKENS = 20_000;

/** Drops the oldest entries of a map, in insertion order. */
function trim(map: Map<string, unknown>, limit: number): void {
	let over = map.size - limit;
	if (over <= 0) return;
	for (const key of map.keys()) {
		map.delete(key);
		if (--over <= 0) return;
	}
}

export class Lookups {
	readonly outputs = new Map<string, KnownOutput>();
	readonly tokens = new Map<string, KnownToken>();
	readonly #chain: bigint;

	constructor(chain: bigint) {
		this.#chain = chain;
	}

	/** Forgets everything, after a reorganization or a failed write. */
	clear(): void {
		this.outputs.clear();
		this.tokens.clear();
	}

	/** Limits the memory; call it between batches. */
	trim(): void {
		trim(this.outputs, CACHED_OUTPUTS);
		trim(this.tokens, CACHED_TOKENS);
	}

	/** Loads the unspent outputs of transactions that are not in memory. */
	async loadOutputs(trx: IndexTrx, spends: ReadonlyMap<string, readonly number[]>): Promise<void> {
		const missing = [...spends]
			.filter(([txid, indexes]) => indexes.some((n) => !this.outputs.has(`${txid}:${n}`)))
			.map(([txid]) => hexToBytes(txid));
		for (const part of chunks(missing)) {
			const rows = await trx.trx
				.selectFrom('ix_txs as t')
				.innerJoin('ix_outputs as o', (join) =>
					join.onRef('o.chain', '=', 't.chain').onRef('o.seq', '=', 't.seq')
				)
				.leftJoin('ix_tokens as k', (join) =>
					join.onRef('k.chain', '=', 'o.chain').onRef('k.seq', '=', 'o.token')
				)
				.select([
					't.txid',
					'o.seq',
					'o.n',
					'o.value',
					'o.type',
					'o.address',
					'o.holder',
					'k.seq as token_seq',
					'k.tokenid',
					'k.nft_data'
				])
				.where('t.chain', '=', this.#chain)
				.where('t.txid', 'in', part)
				.where('o.spent_seq', 'is', null)
				.execute();
			for (const row of rows) {
				const n = Number(row.n);
				this.outputs.set(`${bytesToHex(row.txid)}:${n}`, {
					seq: row.seq,
					n,
					value: row.value,
					type: row.type as ScriptType,
					address: row.address,
					token:
						row.token_seq === null || row.tokenid === null
							? null
							: {
									seq: row.token_seq,
									tokenid: bytesToHex(row.tokenid),
									data: row.nft_data === null ? null : hexToBytes(row.nft_data)
								},
					holder: row.holder
				});
			}
		}
	}

	/** Loads tokens that are not in memory; a tokenid without a creation stays unknown. */
	async loadTokens(trx: IndexTrx, tokenids: ReadonlySet<string>): Promise<void> {
		const missing = [...tokenids].filter((id) => !this.tokens.has(id)).map((id) => hexToBytes(id));
		for (const part of chunks(missing)) {
			const rows = await trx.trx
				.selectFrom('ix_tokens')
				.select(['tokenid', 'seq', 'nft_data'])
				.where('chain', '=', this.#chain)
				.where('tokenid', 'in', part)
				.execute();
			for (const row of rows) {
				const tokenid = bytesToHex(row.tokenid);
				const data = row.nft_data === null ? null : hexToBytes(row.nft_data);
				this.tokens.set(tokenid, { tokenid, seq: row.seq, data });
			}
		}
	}
}
