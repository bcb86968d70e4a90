/** A small chain with a daemon of devnet's own code, within the calling process. */
import { p2pk } from '#lib/chain/script.ts';
import { Daemon } from '../../src/devnet/daemon/daemon.ts';
import { Ledger } from '../../src/devnet/ledger/ledger.ts';
import { COIN, paramsOf, pay, tokenCreation } from '../../src/devnet/ledger/testkit/chain.ts';
import { ALICE, MINER } from '../../src/devnet/ledger/testkit/keys.ts';
import { profileOf } from '../../src/devnet/profile.ts';
import { newAccess } from '../../src/devnet/store.ts';
import { keyFor } from '../../src/devnet/wallet/keys.ts';

const SEED = 'small chains';
const BLOCK_SECONDS = 60;
const TOKEN_EVERY = 10;
const PAYMENT_EVERY = 3;

const present = (): number => Math.floor(Date.now() / 1000);

interface ChainWanted {
	name: string;
	ccid: number;
	blocks: number;
	/** `ac_algo` of a chain that does not use Equihash. */
	algo?: string;
}

/** A chain with one block a minute until now, and occasional payments and tokens. */
function ledgerOf({ blocks, ...params }: ChainWanted): Ledger {
	const { name } = params;
	let past: number | null = present() - blocks * BLOCK_SECONDS;
	const clock = (): number => past ?? present();
	const ledger = new Ledger(paramsOf(params), { clock });
	while (ledger.height < blocks) {
		past += BLOCK_SECONDS;
		const { height } = ledger;
		if (height > 1 && height % TOKEN_EVERY === 0) {
			const words = { name: `${name} ${height}`, description: `Token ${height} of ${name}` };
			ledger.submit(tokenCreation(ledger, MINER, 1_000n, undefined, words));
		}
		if (height > 1 && height % PAYMENT_EVERY === 0)
			pay(ledger, MINER, [{ value: COIN, script: p2pk(ALICE.pub) }]);
		else ledger.mine();
	}
	past = null;
	return ledger;
}

/** Its daemon, which listens on a port once it is opened, and its configuration entry. */
export function smallChain(wanted: ChainWanted, port: number) {
	const { name } = wanted;
	const ledger = ledgerOf(wanted);
	const access = newAccess(port);
	const daemon = new Daemon({
		id: name,
		ledger,
		parent: undefined,
		access,
		seed: SEED,
		key: keyFor(SEED, `wallet ${name}`),
		rules: profileOf('fast'),
		clock: present,
		issue: { premine: 1_000_000, magic: 1 },
		peers: () => [{ port: port - 1, since: present() }],
		mine: (count) => ledger.mine({ count }).map(({ hash }) => hash),
		keep: () => undefined,
		touched: () => undefined
	});
	const { user, password } = access;
	return {
		ledger,
		daemon,
		entry: { chain: name, url: `http://127.0.0.1:${port}`, user, password }
	};
}
