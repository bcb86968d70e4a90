import { redirect } from '@sveltejs/kit';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import { readMomom, wholeNumber, type FieldFaults } from '#lib/server/chains/explorer/proof/mom.ts';
import { MAIN, ProofClient } from '#lib/server/chains/explorer/proof/ways.ts';
import type { PageServerLoad } from './$types';

const HIGHEST = 2_147_483_647;
const LARGEST_CCID = 0xffff;

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const textOf = (name: string): string => url.searchParams.get(name)?.trim() ?? '';
	// Only KMD knows the notarizations of all chains.
	if (chain !== MAIN && locals.app.gateway.chains().includes(MAIN)) {
		redirect(307, `/chains/${MAIN}/momom?symbol=${encodeURIComponent(textOf('symbol') || chain)}`);
	}
	const { gateway, index } = locals.app;
	const client = new ProofClient(gateway, locals.requestId);
	const typed = {
		symbol: textOf('symbol'),
		kmdheight: textOf('kmdheight'),
		ccid: textOf('ccid'),
		blockHeight: textOf('blockHeight'),
		of: textOf('of'),
		blocksLimit: textOf('blocksLimit')
	};
	// A chain that is configured here says its CCid itself.
	const daemon =
		gateway.daemonFor(typed.symbol, 'read') ?? gateway.daemonFor(typed.symbol, 'wallet');
	if (typed.ccid === '' && typeof daemon?.ccid === 'number') typed.ccid = String(daemon.ccid);
	if (typed.kmdheight === '') {
		const tip = await client.orNote(`The height of ${MAIN}`, () =>
			client.call(MAIN, 'getblockcount', [])
		);
		if (tip !== null && !url.searchParams.has('kmdheight')) typed.kmdheight = String(tip);
	}
	const errors: FieldFaults<'symbol' | 'kmdheight' | 'ccid'> = {};
	let momom = null;
	if (url.searchParams.has('kmdheight')) {
		const height = wholeNumber(typed.kmdheight, 1, HIGHEST);
		const ccid = wholeNumber(typed.ccid, 2, LARGEST_CCID);
		if (!/^[\x21-\x7e]{1,64}$/.test(typed.symbol)) {
			errors.symbol = 'Give the name of a chain, 1 to 64 letters.';
		}
		if (typeof height === 'string') errors.kmdheight = height;
		if (typeof ccid === 'string') errors.ccid = ccid;
		if (errors.symbol === undefined && typeof height === 'number' && typeof ccid === 'number') {
			momom = await readMomom(client, index, typed.symbol, height, ccid);
		}
	}
	// The daemon's raw records are for those who work with notarizations.
	let scan = null;
	if (mayAccess(locals.identity.role, 'notary-query', false)) {
		const faults: FieldFaults<'blockHeight' | 'of' | 'blocksLimit'> = {};
		let found = null;
		let asked = false;
		if (url.searchParams.has('of')) {
			const from = wholeNumber(typed.blockHeight, 0, HIGHEST);
			const limit = typed.blocksLimit === '' ? null : wholeNumber(typed.blocksLimit, 1, 100_000);
			if (typeof from === 'string') faults.blockHeight = from;
			if (typeof limit === 'string') faults.blocksLimit = limit;
			if (!/^[\x21-\x7e]{1,64}$/.test(typed.of)) {
				faults.of = 'Give the name of a chain, 1 to 64 letters.';
			}
			if (Object.keys(faults).length === 0) {
				const before = client.notes.length;
				const first = [String(from), typed.of] as const;
				found = await client.orNote('scanNotarisationsDB', () =>
					client.call(
						chain,
						'scanNotarisationsDB',
						limit === null ? [...first] : [...first, String(limit)]
					)
				);
				asked = client.notes.length === before;
			}
		}
		scan = { errors: faults, found, asked };
	}
	return { typed, errors, momom, scan, notes: client.notes };
};
