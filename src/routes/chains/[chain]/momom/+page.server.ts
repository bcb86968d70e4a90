import { MAIN_CHAIN, isMainChain } from '#lib/chain/mainChain.ts';
import { redirect } from '@sveltejs/kit';
import { proofNoteMessage } from '#lib/messages/proofNotes.ts';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import { readMomom } from '#lib/server/chains/explorer/proof/mom.ts';
import {
	chainName,
	optional,
	readFields,
	typedFields,
	wholeNumber
} from '#lib/server/chains/explorer/proof/rootForm.ts';
import { ProofClient } from '#lib/server/chains/explorer/proof/ways.ts';
import type { PageServerLoad } from './$types';

const LARGEST_CCID = 0xffff;
const MOST_SEARCHED = 100_000;

const COMPUTE = {
	symbol: chainName,
	kmdheight: wholeNumber(1),
	ccid: wholeNumber(2, LARGEST_CCID)
};
const ASK = {
	blockHeight: wholeNumber(0),
	of: chainName,
	blocksLimit: optional(wholeNumber(1, MOST_SEARCHED))
};

/** Queries the daemon for the newest notarization of one chain below a height. */
async function askDaemon(client: ProofClient, chain: string, url: URL) {
	const typed = typedFields(url, ASK);
	if (!url.searchParams.has('of')) return { typed, errors: {}, found: null, isAnswered: false };
	const { values, errors } = readFields(typed, ASK);
	if (values === null) return { typed, errors, found: null, isAnswered: false };
	const { blockHeight, of, blocksLimit } = values;
	const before = client.notes.length;
	const first = [String(blockHeight), of] as const;
	const found = await client.orNote({ code: 'method', method: 'scanNotarisationsDB' }, () =>
		client.call(
			chain,
			'scanNotarisationsDB',
			blocksLimit === null ? [...first] : [...first, String(blocksLimit)]
		)
	);
	return { typed, errors, found, isAnswered: client.notes.length === before };
}

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const { gateway, index } = locals.app;
	const typed = typedFields(url, COMPUTE);
	// Only KMD contains the notarizations of all chains.
	if (!isMainChain(chain) && gateway.chains().includes(MAIN_CHAIN)) {
		redirect(
			307,
			`/chains/${MAIN_CHAIN}/momom?symbol=${encodeURIComponent(typed.symbol || chain)}`
		);
	}
	const client = new ProofClient(gateway, locals.requestId);
	// The CCid of a configured chain is known from its daemon.
	const daemon =
		gateway.daemonFor(typed.symbol, 'read') ?? gateway.daemonFor(typed.symbol, 'wallet');
	if (typed.ccid === '' && typeof daemon?.ccid === 'number') typed.ccid = String(daemon.ccid);
	const isSent = url.searchParams.has('kmdheight');
	if (typed.kmdheight === '') {
		const tip = await client.orNote({ code: 'height', chain: MAIN_CHAIN }, () =>
			client.call(MAIN_CHAIN, 'getblockcount', [])
		);
		if (tip !== null && !isSent) typed.kmdheight = String(tip);
	}
	const { values, errors } = isSent
		? readFields(typed, COMPUTE)
		: { values: null, errors: {} as { symbol?: string; kmdheight?: string; ccid?: string } };
	const momom =
		values === null
			? null
			: await readMomom(client, index, values.symbol, values.kmdheight, values.ccid);
	// The daemon's raw records are for roles that work with notarizations.
	const ask = mayAccess(locals.identity.role, 'notary-query', false)
		? await askDaemon(client, chain, url)
		: null;
	return { typed, errors, momom, ask, notes: client.notes.map(proofNoteMessage) };
};
