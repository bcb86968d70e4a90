import { burnsPage } from '#lib/messages/pages/transfers.ts';
import { stateName } from '#lib/messages/migration/states.ts';
import { problemOf } from '#lib/server/chains/explorer/problem.ts';
import { readWalletBurns } from '#lib/server/cross-chain/transfers/readWalletBurns.ts';
import type { WalletBurn } from '#lib/server/cross-chain/transfers/walletBurns.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

/** The daemon's default length of the list, and the maximum that is requested. */
const USUAL = 10;
const MOST = 1000;

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const { gateway } = locals.app;
	const chains = gateway.chains();
	const wallets = gateway
		.daemons()
		.filter((daemon) => daemon.chain === chain && !isReader(daemon.purposes));
	const asked = url.searchParams.get('daemon');
	const daemon =
		wallets.find(({ id }) => id === asked) ??
		(asked === null ? (gateway.daemonFor(chain, 'wallet') ?? wallets[0]) : undefined);
	const typed = (url.searchParams.get('count') ?? String(USUAL)).trim().slice(0, 20);
	const count = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
	const errors: { daemon?: string; count?: string } = {};
	if (asked !== null && daemon === undefined) {
		errors.daemon = burnsPage.faults.daemon(chain);
	}
	if (count < 1 || count > MOST) errors.count = burnsPage.faults.count(MOST);
	let burns: WalletBurn[] | null = null;
	let problem: string | null = null;
	if (daemon !== undefined && errors.count === undefined) {
		try {
			burns = await readWalletBurns(locals.app, daemon, count, locals.requestId);
		} catch (cause) {
			problem = problemOf(daemon.id, cause, daemon.health, false).words;
		}
	}
	return withLabels(locals, {
		wallets: wallets.map(({ id }) => id),
		typed: { daemon: daemon?.id ?? asked ?? '', count: typed },
		errors,
		burns:
			burns?.map((burn) => ({
				...burn,
				words: burn.migration === null ? null : stateName(burn.migration.state)
			})) ?? null,
		problem,
		chains,
		now: Date.now()
	});
};

/** Whether a daemon is used for reading only, so that its wallet is not the team's. */
function isReader(purposes: readonly string[]): boolean {
	return !purposes.includes('wallet') && !purposes.includes('notary');
}
