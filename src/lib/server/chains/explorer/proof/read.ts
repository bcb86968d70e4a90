/** Proofs as pages show them: of a transaction on a chain, or of pasted bytes. */
import { parseApproval, APPROVALS_NEEDED } from '#lib/chain/approval.ts';
import { blockHash } from '#lib/chain/block.ts';
import { parseBurn, SELF_IMPORT_CCID } from '#lib/chain/burn.ts';
import { displayHash, bytesToHex } from '#lib/chain/bytes.ts';
import { readOrNull } from '#lib/chain/chainError.ts';
import { parseImport, parseTxProof, type TxProof } from '#lib/chain/importProof.ts';
import { treeHeight } from '#lib/chain/merkle.ts';
import { branchOf, checkProof, layOut, type Proof } from '#lib/chain/proofTree.ts';
import {
	readableTransaction,
	serializeTransaction,
	txidOf,
	type Transaction
} from '#lib/chain/transaction.ts';
import { parseTxOutProof, provenTxids, type TxOutProof } from '#lib/chain/txOutProof.ts';
import type { PasteFaultCode, ProofNote } from '#lib/messages/proofNotes.ts';
import type { ProofKind } from '#lib/messages/proofs.ts';
import type { Index } from '#lib/server/chains/indexer/open.ts';
import { hashOfHeader } from '../../daemon/blocks.ts';
import { orNothing } from '../problem.ts';
import { recordedRoot } from './recordedRoot.ts';
import { ProofClient, wayOf, pathToMomom, type PartFacts } from './ways.ts';

/** Most hex digits of a transaction that are sent to the browser; a larger one is omitted. */
const SHOWN_HEX = 200_000;

/** A proof with everything that a page shows about it. */
export interface ProofPage {
	kind: ProofKind;
	/** The chain that contains the transaction; null when unknown. */
	chain: string | null;
	/** Null when there is no tree to draw. */
	proof: Proof | null;
	facts: PartFacts[];
	/** Approvals in place of a proof, or the source of a self-import, with the chain that contains them. */
	approvals: { chain: string; txids: string[] } | null;
	/** What could not be read or compared. */
	notes: ProofNote[];
}

/** Why pasted text is not a proof, and the field where this is shown. */
export interface PasteFault {
	field: 'hex' | 'txid';
	fault: PasteFaultCode;
}

const small = (hex: string | null): string | null =>
	hex === null || hex.length > SHOWN_HEX ? null : hex;

/**
 * Compares a branch proof with the chain's own data.
 * @param burnHex bytes of the proven transaction, if known
 */
async function branchPage(
	client: ProofClient,
	index: Index,
	chain: string,
	txid: string,
	burnHex: string | null,
	proof: TxProof,
	destination: { chain: string; ccid: number } | null
): Promise<ProofPage> {
	const known = client.gateway.chains().includes(chain);
	if (!known) client.notes.push({ code: 'unknown-chain', chain });
	const way = known ? await wayOf(client, chain, txid) : null;
	const branch = proof.branch.map(displayHash);
	const parts = way === null ? [] : [...way.parts];
	const facts = way === null ? [] : [...way.facts];
	const below = parts.reduce((sum, { length }) => sum + length, 0);
	// An incomplete proof names the notarization of its own chain, a complete one that of the destination.
	const first = way?.proof ?? null;
	const completed =
		destination !== null && (first === null ? branch.length > below : proof.txid !== first.txid);
	if (completed) {
		const top = await pathToMomom(client, proof.txid, destination.ccid, way?.mom ?? null);
		if (parts.length !== 1) {
			parts.push({ kind: 'momom', length: branch.length - below, ...top.part });
			facts.push({ kind: 'momom', facts: top.facts });
		}
	}
	const page: Proof = {
		txid,
		transaction: small(burnHex ?? way?.hex ?? null),
		stages: layOut(txid, proof.index, branch, parts)
	};
	const last = page.stages.at(-1);
	if (destination !== null && completed && client.gateway.chains().includes(destination.chain)) {
		const end = checkProof(page).stages.at(-1)?.root.hash ?? '';
		const root = await recordedRoot(index, destination.chain, proof.txid, end);
		if (root === null || root === 'unread') {
			const code = root === null ? 'root-unknown' : 'root-unread';
			client.notes.push({ code, chain: destination.chain });
		} else {
			facts
				.find(({ kind }) => kind === last?.kind)
				?.facts.push({ code: 'root', chain: destination.chain, ...root });
		}
	}
	const kind: ProofKind = completed
		? { code: 'complete', source: chain, destination: destination.chain }
		: { code: 'to-notarization', chain };
	return { kind, chain, proof: page, facts, approvals: null, notes: client.notes };
}

/** Returns the proof in an import. */
async function importPage(
	client: ProofClient,
	index: Index,
	tx: Transaction,
	chain: string
): Promise<ProofPage | null> {
	const parts = parseImport(tx);
	if (parts === null) return null;
	const burnHex = bytesToHex(serializeTransaction(parts.burnTx));
	const burnTxid = txidOf(parts.burnTx);
	const burn = parseBurn(parts.burnTx);
	const source = burn?.sourceSymbol ?? '';
	const destination = burn?.targetSymbol ?? chain;
	const without = { chain, proof: null, facts: [], approvals: null, notes: client.notes };
	if (burn === null || burn.targetCcid === SELF_IMPORT_CCID) {
		return {
			...without,
			kind: { code: 'self-import' },
			approvals: parts.proof.kind === 'txproof' ? { chain, txids: [parts.proof.txid] } : null
		};
	}
	if (source === '') return { ...without, kind: { code: 'unnamed-source' } };
	if (parts.proof.kind === 'txproof') {
		return branchPage(client, index, source, burnTxid, burnHex, parts.proof, {
			chain: destination,
			ccid: burn.targetCcid
		});
	}
	const way = client.gateway.chains().includes(source)
		? await wayOf(client, source, burnTxid)
		: null;
	const own = way?.proof;
	return {
		kind: { code: 'approved-import', source, needed: APPROVALS_NEEDED },
		chain: source,
		proof: {
			txid: burnTxid,
			transaction: small(burnHex),
			stages: ownStages(burnTxid, way, own ?? null)
		},
		facts: way?.facts ?? [],
		approvals:
			parts.proof.kind === 'approvals' ? { chain: destination, txids: parts.proof.txids } : null,
		notes: client.notes
	};
}

type Way = Awaited<ReturnType<typeof wayOf>>;

/** Returns the chain's own proof: up to the MoM if notarized, otherwise to the Merkle root of the block. */
function ownStages(txid: string, way: Way, proof: TxProof | null): Proof['stages'] {
	if (way === null || way.parts.length === 0) return [];
	if (proof !== null) return layOut(txid, proof.index, proof.branch.map(displayHash), way.parts);
	const inBlock = way.parts[0]!.way;
	return layOut(txid, inBlock?.index ?? 0, inBlock?.siblings ?? [], way.parts.slice(0, 1));
}

type BlockProofPage = ProofPage & { kind: Extract<ProofKind, { named: number }> };

/** Returns the proof in an answer of `gettxoutproof`, compared with the block on a configured chain. */
async function blockProofPage(
	client: ProofClient,
	proof: TxOutProof,
	wanted: string | null,
	chains: readonly string[]
): Promise<BlockProofPage | PasteFault> {
	const { matches } = provenTxids(proof);
	const txid = wanted ?? matches[0];
	const found = txid === undefined ? null : branchOf(proof, txid);
	if (txid === undefined || found === null) {
		return wanted === null
			? { field: 'hex', fault: { code: 'no-tree' } }
			: { field: 'txid', fault: { code: 'other-transaction' } };
	}
	const hash = blockHash(proof.header);
	let way: Way = null;
	let chain: string | null = null;
	const unread: ProofNote[] = [];
	for (const one of chains) {
		const silent = new ProofClient(client.gateway, 'proof');
		const algorithm = silent.algorithm(one);
		const subject =
			algorithm === null
				? ({ code: 'block', chain: one, block: hash } as const)
				: ({ code: 'proof', chain: one } as const);
		const has = async (by: string | null): Promise<boolean> => {
			const own = await hashOfHeader(
				(method, ...params) => silent.call(one, method, params),
				by,
				proof.header
			);
			if (own === null) return false;
			// Not computed from the bytes: the daemon named it, out of its current chain.
			if (own !== hash) return true;
			const header = await orNothing(silent.call(one, 'getblockheader', [own]));
			return header !== undefined;
		};
		const isThere = await silent.orNote(subject, async () => {
			if (await has(algorithm)) return true;
			// The first call to a daemon identifies it.
			const now = silent.algorithm(one);
			return now !== algorithm && has(now);
		});
		unread.push(...silent.notes);
		if (isThere !== true) continue;
		chain = one;
		way = await wayOf(client, one, txid);
		break;
	}
	if (chain === null) {
		// A chain that did not answer may have the block.
		const isComputed = chains.every((one) => client.algorithm(one) === null);
		const unknown = { code: 'block-unknown', hash: isComputed ? hash : null } as const;
		client.notes.push(...(unread.length > 0 ? unread : [unknown]));
	}
	const inBlock = way?.parts[0];
	return {
		kind: { code: 'block-proof', chain, named: matches.length },
		chain,
		proof: {
			txid,
			transaction: small(way?.hex ?? null),
			stages: layOut(txid, found.index, found.branch, [
				{
					kind: 'block',
					length: treeHeight(proof.total),
					way: inBlock?.way ?? null,
					root: inBlock?.root ?? proof.header.merkleRoot
				}
			])
		},
		facts: way?.facts.slice(0, 1) ?? [],
		approvals: null,
		notes: client.notes
	};
}

const isFault = (one: BlockProofPage | PasteFault): one is PasteFault => 'field' in one;

/**
 * Returns the proof of a transaction: that in an import or an approval, otherwise the chain's own proof of it.
 * @returns null when the chain does not know the transaction
 */
export async function readProof(
	client: ProofClient,
	index: Index,
	chain: string,
	txid: string
): Promise<ProofPage | null> {
	const way = await wayOf(client, chain, txid);
	if (way === null) return null;
	const tx = readableTransaction(way.hex);
	const ownNotes = client.notes.splice(0);
	const ofImport = tx && (await importPage(client, index, tx, chain));
	if (ofImport !== null) return ofImport;
	const approval = tx && parseApproval(tx);
	if (approval !== null) {
		const page = await blockProofPage(
			client,
			parseTxOutProof(approval.proof),
			null,
			client.gateway.chains()
		);
		if (!isFault(page)) {
			return { ...page, kind: { ...page.kind, code: 'approval' } };
		}
	}
	client.notes.push(...ownNotes);
	return {
		kind: { code: way.proof === null ? 'in-block' : 'to-notarization', chain },
		chain,
		proof: { txid, transaction: small(way.hex), stages: ownStages(txid, way, way.proof) },
		facts: way.proof === null ? way.facts.slice(0, 1) : way.facts,
		approvals: null,
		notes: client.notes
	};
}

/**
 * Reads a pasted proof: an import transaction, an approval, the answer of `assetchainproof` (with its txid) or the
 * answer of `gettxoutproof`.
 *
 * @param hex without white space
 * @param txid lower case, 64 digits; null when none was given
 * @param chain the chain on whose page it was pasted
 */
export async function readPastedProof(
	client: ProofClient,
	index: Index,
	chain: string,
	hex: string,
	txid: string | null
): Promise<ProofPage | PasteFault> {
	if (hex === '') return { field: 'hex', fault: { code: 'empty' } };
	if (!/^(?:[0-9a-f]{2})+$/i.test(hex)) {
		return { field: 'hex', fault: { code: 'not-hex' } };
	}
	const tx = readableTransaction(hex);
	if (tx !== null) {
		const ofImport = await importPage(client, index, tx, chain);
		if (ofImport !== null) return ofImport;
		const approval = parseApproval(tx);
		if (approval !== null) {
			return blockProofPage(client, parseTxOutProof(approval.proof), txid, client.gateway.chains());
		}
		return { field: 'hex', fault: { code: 'no-proof' } };
	}
	const blockProof = readOrNull(() => parseTxOutProof(hex));
	if (blockProof !== null) return blockProofPage(client, blockProof, txid, client.gateway.chains());
	const branch = readOrNull(() => parseTxProof(hex));
	if (branch === null) return { field: 'hex', fault: { code: 'unrecognized' } };
	if (txid === null) return { field: 'txid', fault: { code: 'txid-needed' } };
	return branchPage(client, index, chain, txid, null, branch, null);
}
