/** Reads from the chains the Merkle branch from a transaction to a MoM, and on to a MoMoM. */
import { MAIN_CHAIN, isMainChain } from '#lib/chain/mainChain.ts';
import { parseBlock } from '#lib/chain/block.ts';
import { displayHash } from '#lib/chain/bytes.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { parseTxProof, type TxProof } from '#lib/chain/importProof.ts';
import { parseNotarization, type Notarization } from '#lib/chain/notarization.ts';
import { treeHeight } from '#lib/chain/merkle.ts';
import { branchOver, type BranchPart, type StageKind } from '#lib/chain/proofTree.ts';
import { readableTransaction, txidOf } from '#lib/chain/transaction.ts';
import type { ProofNote, ProofSubject } from '#lib/messages/proofNotes.ts';
import type { ProofFact } from '#lib/messages/proofs.ts';
import { wholeOf } from '#lib/rpc/tolerant.ts';
import type { DaemonMethod, DaemonParams, DaemonResult } from '#lib/rpc/daemon/index.ts';
import type { CallOptions, DaemonInfo, Gateway } from '#lib/server/chains/daemon/types.ts';
import { isAppError } from '../../../platform/errors/appError.ts';

/** Milliseconds for one call. */
export const TIMEOUT_MS = 5_000;

/** Facts shown with one part of a proof. */
export interface PartFacts {
	kind: StageKind;
	facts: ProofFact[];
}

/** The calls of one page. Failures become notes, so that the rest of the proof is still shown. */
export class ProofClient {
	readonly gateway: Gateway;
	readonly notes: ProofNote[] = [];
	readonly #requestId: string;

	constructor(gateway: Gateway, requestId: string) {
		this.gateway = gateway;
		this.#requestId = requestId;
	}

	#daemon(chain: string): DaemonInfo | undefined {
		return this.gateway.daemonFor(chain, 'read') ?? this.gateway.daemonFor(chain, 'wallet');
	}

	/** @throws {AppError} `daemon` */
	call<M extends DaemonMethod>(
		chain: string,
		method: M,
		params: DaemonParams<M>,
		options: Pick<CallOptions, 'priority' | 'timeout'> = {}
	): Promise<DaemonResult<M>> {
		return this.gateway.call(this.#daemon(chain)?.id ?? chain, method, params, {
			requestId: this.#requestId,
			timeout: TIMEOUT_MS,
			...options
		});
	}

	/** As in `DaemonInfo`. */
	algorithm(chain: string): string | null {
		return this.#daemon(chain)?.algorithm ?? null;
	}

	/** Returns the answer, all of which is used; null, with a note of the reason, when the call fails. */
	async orNote<T>(subject: ProofSubject, ask: () => Promise<T>): Promise<T | null> {
		try {
			return wholeOf(await ask());
		} catch (error) {
			if (!isAppError(error, 'daemon')) throw error;
			this.notes.push({ code: 'unavailable', subject, error: error.coded });
			return null;
		}
	}

	/** Parses bytes from a daemon; null, with a note, when they cannot be parsed. */
	read<T>(subject: ProofSubject, parse: () => T): T | null {
		try {
			return parse();
		} catch (error) {
			if (!isChainError(error, 'parse')) throw error;
			this.notes.push({ code: 'unreadable', subject, fault: error.fault });
			return null;
		}
	}
}

/** A transaction and the branch that its chain has from it. */
interface Way {
	/** The transaction's bytes. */
	hex: string;
	parts: BranchPart[];
	facts: PartFacts[];
	/** The MoM at the end, display order; null when no notarization is known. */
	mom: string | null;
	/** The proof from the chain's daemon; null when there is none. */
	proof: TxProof | null;
}

/** Returns the notarization in a transaction of KMD, with its height; null when there is no readable one. */
async function notarizationOnMain(
	client: ProofClient,
	txid: string
): Promise<{ data: Notarization; height: number | null } | null> {
	const found = await client.orNote({ code: 'notarization', chain: MAIN_CHAIN, txid }, () =>
		placeOf(client, MAIN_CHAIN, txid)
	);
	if (found === null) return null;
	const script = readableTransaction(found.hex)?.vout[1]?.script;
	const data = script === undefined ? null : parseNotarization(script, 'kmd');
	if (data === null) return null;
	return {
		data,
		height: found.block !== null && found.block.height >= 0 ? found.block.height : null
	};
}

/** Returns the bytes of a transaction and the block that its daemon names. @throws {AppError} `daemon` */
async function placeOf(client: ProofClient, chain: string, txid: string) {
	const found = await client.call(chain, 'getrawtransaction', [txid, 1]);
	if (typeof found === 'string') return null;
	const { hex } = found;
	if (!('blockhash' in found)) return { hex, block: null };
	return { hex, block: { hash: found.blockhash, height: found.height } };
}

/**
 * Returns the branch within the block of a transaction; without parts, and with a note, while it is in no block.
 * Null when the transaction or its block cannot be read.
 */
async function pathInBlock(client: ProofClient, chain: string, txid: string): Promise<Way | null> {
	const found = await client.orNote({ code: 'transaction', chain }, () =>
		placeOf(client, chain, txid)
	);
	if (found === null) return null;
	if (found.block === null || found.block.height < 0) {
		client.notes.push({ code: found.block === null ? 'pending' : 'orphaned', chain });
		return { hex: found.hex, parts: [], facts: [], mom: null, proof: null };
	}
	const { hash: blockhash, height } = found.block;
	const raw = await client.orNote({ code: 'block', chain, block: height }, () =>
		client.call(chain, 'getblock', [blockhash, 0])
	);
	if (typeof raw !== 'string') return null;
	const block = client.read({ code: 'block', chain, block: height }, () => parseBlock(raw));
	if (block === null) return { hex: found.hex, parts: [], facts: [], mom: null, proof: null };
	const { header, transactions } = block;
	const txids = transactions.map(txidOf);
	const way = branchOver(txids, txids.indexOf(txid));
	return {
		hex: found.hex,
		parts: [{ kind: 'block', length: treeHeight(txids.length), way, root: header.merkleRoot }],
		facts: [
			{
				kind: 'block',
				facts: [
					{ code: 'in-block', chain, height, place: txids.indexOf(txid) + 1, of: txids.length }
				]
			}
		],
		mom: null,
		proof: null
	};
}

/** Returns the branch from a transaction to the MoM of the notarization that covers it, as far as it exists. */
export async function wayOf(client: ProofClient, chain: string, txid: string): Promise<Way | null> {
	const inBlock = await pathInBlock(client, chain, txid);
	if (inBlock === null || inBlock.parts.length === 0 || isMainChain(chain)) return inBlock;
	const hex = await client.orNote({ code: 'proof', chain }, () =>
		client.call(chain, 'assetchainproof', [txid])
	);
	if (hex === null) return inBlock;
	const proof = client.read({ code: 'proof', chain }, () => parseTxProof(hex));
	if (proof === null) return inBlock;
	const nota = await notarizationOnMain(client, proof.txid);
	const mom = nota?.data.mom === undefined ? null : displayHash(nota.data.mom);
	const first = inBlock.parts[0]!.length;
	const siblings = proof.branch.slice(first).map(displayHash);
	const facts: ProofFact[] =
		nota === null
			? []
			: [
					{
						code: 'mom',
						txid: proof.txid,
						symbol: nota.data.symbol,
						blocks: nota.data.momDepth ?? 0,
						height: nota.data.height,
						main: MAIN_CHAIN,
						recordedAt: nota.height
					}
				];
	return {
		...inBlock,
		parts: [
			...inBlock.parts,
			{
				kind: 'mom',
				length: siblings.length,
				way: { index: Math.floor(proof.index / 2 ** first), siblings },
				root: mom
			}
		],
		facts: [...inBlock.facts, { kind: 'mom', facts }],
		mom,
		proof
	};
}

/** Returns the part of a completed proof from a MoM to the MoMoM, as KMD has it for the destination. */
export async function pathToMomom(
	client: ProofClient,
	notarization: string,
	ccid: number,
	mom: string | null
): Promise<{ part: Pick<BranchPart, 'way' | 'root'>; facts: ProofFact[] }> {
	const nothing = { part: { way: null, root: null }, facts: [] };
	const nota = await notarizationOnMain(client, notarization);
	if (nota === null || nota.height === null) return nothing;
	const { symbol } = nota.data;
	// The daemon subtracts 5 from the height before it searches.
	const height = String(nota.height + 5);
	const answer = await client.orNote({ code: 'momom', chain: MAIN_CHAIN }, () =>
		client.call(MAIN_CHAIN, 'MoMoMdata', [symbol, height, String(ccid)])
	);
	if (answer === null || answer.MoMs.length === 0) return nothing;
	const place = mom === null ? -1 : answer.MoMs.indexOf(mom);
	return {
		part: { way: branchOver(answer.MoMs, place), root: answer.MoMoM },
		facts: [
			{
				code: 'momom',
				txid: notarization,
				symbol,
				moms: answer.MoMs.length,
				main: MAIN_CHAIN,
				height: nota.height
			}
		]
	};
}
