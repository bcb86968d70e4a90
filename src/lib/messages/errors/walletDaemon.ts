import { withCertainty, type Certainty } from '../certainties.ts';
import { walletForm } from '../walletForm.ts';
import { withStatus, type ErrorArea } from './define.ts';
import { explainDaemon, type DaemonError } from './explainDaemon.ts';

/** `certain`: what is known of the requested transaction; null when nothing was to be built or sent. */
interface Asked {
	certain: Certainty | null;
}

const OF_ITS_WALLET = 'Start it with the public key of one of its wallet’s keys.';

/** A daemon that is not the one on record, or whose wallet cannot build transactions. */
export const walletDaemon = {
	...withStatus(409, {
		'wallet-daemon.none': ({ chain, certain }: Readonly<Asked & { chain: string }>) =>
			withCertainty(`No daemon with a wallet is configured for ${chain}.`, certain),
		'wallet-daemon.other-chain': ({
			daemon,
			found,
			chain,
			certain
		}: Readonly<Asked & { daemon: string; found: string; chain: string }>) =>
			withCertainty(`The daemon ${daemon} serves ${found}, not ${chain}.`, certain),
		'wallet-daemon.other-ccid': ({ daemon, certain }: Readonly<Asked & { daemon: string }>) =>
			withCertainty(`The daemon ${daemon} now has another chain id (CCid).`, certain),
		'wallet-daemon.no-wallet': ({ daemon, certain }: Readonly<Asked & { daemon: string }>) =>
			withCertainty(walletForm.withoutWallet(daemon), certain),
		'wallet-daemon.no-pubkey': ({ daemon, certain }: Readonly<Asked & { daemon: string }>) =>
			withCertainty(
				`The daemon ${daemon} runs without a pubkey: it cannot build token transactions.`,
				certain
			),
		'wallet-daemon.other-pubkey': ({ daemon, certain }: Readonly<Asked & { daemon: string }>) =>
			withCertainty(
				`The daemon ${daemon} now works with another key than when this was built.`,
				certain
			),
		'wallet-daemon.no-sapling': ({ chain, certain }: Readonly<Asked & { chain: string }>) =>
			withCertainty(
				`${chain} has not activated Sapling yet; transactions built before would be refused after.`,
				certain
			),
		/** `address`: address of the key that the daemon uses. */
		'wallet-daemon.foreign-pubkey': ({
			daemon,
			address,
			certain
		}: Readonly<Asked & { daemon: string; address: string }>) =>
			`${withCertainty(`The key that ${daemon} was started with (${address}) is not in its wallet: the consolidated coins would belong to the owner of that key.`, certain)} ${OF_ITS_WALLET}`,
		/** A different daemon answers at the address. `why`: the call that revealed it. */
		'wallet-daemon.replaced': ({ why, certain }: Readonly<Asked & { why: DaemonError }>) => {
			const { what, next } = explainDaemon(why);
			return `${withCertainty(what, certain)} ${next}`;
		}
	})
} satisfies ErrorArea<'wallet-daemon'>;
