import { MAIN_CHAIN, isMainChain } from '#lib/chain/mainChain.ts';
import { DAEMON } from '#lib/messages/pages/daemons.ts';
import { recordedText } from '#lib/messages/errors/recorded.ts';
import { error } from '@sveltejs/kit';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import { stateWord } from '#lib/server/chains/explorer/sidebar.ts';
import { CAPABILITY_TITLES, capabilityMessage } from '#lib/messages/capabilities.ts';
import { NEED_LABELS, NEED_TITLES, needMessage } from '#lib/messages/needs.ts';
import { unansweredMessage } from '#lib/messages/daemonIndexes.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import { capabilitiesOf } from '#lib/server/chains/health/capabilities.ts';
import { importModeOf } from '#lib/server/chains/health/importMode.ts';
import { needsOf } from '#lib/server/chains/health/needs.ts';
import { readDaemon, type Told } from '#lib/server/chains/health/read.ts';
import { startParameters } from '#lib/server/chains/health/startup.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import type { PageServerLoad } from './$types';

const valueOf = <T>(told: Told<T>): T | null => (told.kind === 'told' ? told.value : null);

export const load: PageServerLoad = async ({ locals, params: { id } }) => {
	const { gateway } = locals.app;
	const daemon = gateway.daemon(id) ?? error(404, DAEMON.unknown(id));
	const answers = await readDaemon(gateway, daemon, locals.requestId);
	const mode = importModeOf(gateway, daemon.chain);
	const info = valueOf(answers.info);
	const ccid = info && reported(info, 'CCid');
	const sharedCcid = ccid ?? daemon.ccid ?? 0;
	const others = gateway.daemons().filter(({ chain }) => chain !== daemon.chain);
	const siblings = new Set(
		sharedCcid === 0
			? []
			: others.filter((other) => other.ccid === sharedCcid).map(({ chain }) => chain)
	);
	const chain = valueOf(answers.chain);
	const notary = info && reported(info, 'notaryid');
	const network = valueOf(answers.network);
	const { reason, ...health } = (gateway.daemon(id) ?? daemon).health;
	return withLabels(locals, {
		daemon: {
			id,
			chain: daemon.chain,
			purposes: daemon.purposes,
			dialect: daemon.dialect,
			// Its address is only for those who work with it.
			url: mayAccess(locals.identity.role, 'build', false) ? daemon.url : null
		},
		health: {
			...health,
			...stateWord(health.state),
			detail: reason === null ? null : recordedText(reason),
			// The daemon's text may quote the parameters of another member's call.
			unknownRefusals: mayAccess(locals.identity.role, 'build', false) ? health.unknownRefusals : []
		},
		/** Why responses are missing, without repetitions. */
		silent: [
			...new Set(
				[answers.info, answers.chain, answers.network].flatMap((told) =>
					told.kind === 'told' ? [] : [unansweredMessage(told.why)]
				)
			)
		],
		version: {
			number: info === null ? daemon.version : reported(info, 'version'),
			release: (info && reported(info, 'KMDversion')) ?? null,
			protocol: info && reported(info, 'protocolversion'),
			subversion: network && reported(network, 'subversion')
		},
		mayOpenWallet:
			daemon.purposes.includes('wallet') &&
			mayAccess(locals.identity.role, 'build', false) &&
			(await locals.app.rights.walletRefusal(locals.account?.name ?? '', id)) === null,
		wallet:
			info === null
				? null
				: {
						// Null when unknown, undefined for none.
						pubkey: reported(info, 'pubkey'),
						balance: answers.balance,
						notary: (notary ?? -1) >= 0 ? (notary ?? null) : null
					},
		network: info && {
			connections: reported(info, 'connections'),
			blocks: reported(info, 'blocks'),
			longest: reported(info, 'longestchain') ?? 0,
			synced: reported(info, 'synced') ?? true,
			relayfee: reported(info, 'relayfee')
		},
		upgrades: Object.values((chain && reported(chain, 'upgrades')) ?? {}).flatMap((upgrade) => {
			const name = reported(upgrade, 'name');
			const height = reported(upgrade, 'activationheight');
			const status = reported(upgrade, 'status');
			return name === null || height === null || status === null ? [] : [{ name, height, status }];
		}),
		parameters: startParameters(daemon, answers, mode),
		needs: needsOf(answers, {
			chain: daemon.chain,
			dialect: daemon.dialect,
			dataCarrierSize: daemon.dataCarrierSize,
			importMode: mode,
			siblings: [...siblings],
			hasMain: gateway.chains().includes(MAIN_CHAIN)
		}).map(({ id, needs }) => ({
			id,
			title: NEED_TITLES[id],
			needs: needs.map((need) => ({
				id: need.id,
				status: need.status,
				label: NEED_LABELS[need.id],
				...needMessage(need)
			}))
		})),
		capabilities: capabilitiesOf({
			isMain: isMainChain(daemon.chain),
			identity: info && {
				ccid: ccid === undefined ? 0 : ccid,
				blocks: reported(info, 'blocks'),
				sapling: reported(info, 'sapling'),
				pubkey: reported(info, 'pubkey'),
				hasWallet: reported(info, 'balance') !== undefined,
				notaryId: notary === undefined ? -1 : notary
			},
			indexes: answers,
			probes: answers.probes,
			importMode: mode
		}).map(({ why, ...one }) => ({
			...one,
			what: CAPABILITY_TITLES[one.id],
			says: capabilityMessage(why)
		})),
		now: Date.now()
	});
};
