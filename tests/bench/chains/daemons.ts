/**
 * Daemons of forty small chains, of devnet's own code, and ten that are offline: five where nothing listens, five that
 * take connections and never answer. One process has them all. It writes a configuration into the file of `CONFIG`
 * and prints the port of its control: `GET /asked` tells how many requests the silent ones have got so far, `POST /wake`
 * puts a daemon that answers in the place of the first of these.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { p2pk } from '#lib/chain/script.ts';
import { Daemon } from '../../../src/devnet/daemon/daemon.ts';
import { Ledger } from '../../../src/devnet/ledger/ledger.ts';
import { COIN, paramsOf, pay, tokenCreation } from '../../../src/devnet/ledger/testkit/chain.ts';
import { ALICE, MINER } from '../../../src/devnet/ledger/testkit/keys.ts';
import { profileOf } from '../../../src/devnet/profile.ts';
import { newAccess } from '../../../src/devnet/store.ts';
import { keyFor } from '../../../src/devnet/wallet/keys.ts';
import { NAMES, ONLINE, REFUSING, SILENT } from './names.ts';

const SEED = 'many chains';
const BLOCKS = 40;
const BLOCK_SECONDS = 60;
const TOKEN_EVERY = 10;
const PAYMENT_EVERY = 3;
/** Chains that share one migrate to each other. */
const CCIDS = [101, 102, 103, 104];

const present = (): number => Math.floor(Date.now() / 1000);

async function listen(answer: RequestListener): Promise<[Server, number]> {
	const server = createServer(answer).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return [server, (server.address() as AddressInfo).port];
}

const closed = async (server: Server): Promise<void> => {
	const gone = once(server, 'close');
	server.close();
	server.closeAllConnections();
	await gone;
};

/** A chain whose blocks came each minute until now, with a payment and a token now and then. */
function ledgerOf(name: string): Ledger {
	let past: number | null = present() - BLOCKS * BLOCK_SECONDS;
	const clock = (): number => past ?? present();
	const ccid = CCIDS[NAMES.indexOf(name) % CCIDS.length]!;
	const ledger = new Ledger(paramsOf({ name, ccid }), { clock });
	while (ledger.height < BLOCKS) {
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

/** The daemon of a chain at a port, with its entry in the configuration. */
function daemonOf(name: string, port: number) {
	const ledger = ledgerOf(name);
	const access = newAccess(port);
	const daemon = new Daemon({
		...{ id: name, ledger, parent: undefined, access, seed: SEED },
		key: keyFor(SEED, `wallet ${name}`),
		rules: profileOf('fast'),
		clock: present,
		issue: { premine: 1_000_000, magic: 1 },
		peers: () => [{ port: port - 1, since: present() }],
		mine: (count) => ledger.mine({ count }).map(({ hash }) => hash),
		keep: () => undefined,
		touched: () => undefined
	});
	return { daemon, login: { user: access.user, password: access.password } };
}

let asked = 0;
// All at first, so that no port is given out twice.
const silent = new Map<string, Server>();
const ports = new Map<string, number>();
for (const chain of NAMES) {
	const [server, port] = await listen(() => void (asked += 1));
	silent.set(chain, server);
	ports.set(chain, port);
}
const daemons = new Map(
	[...ONLINE, SILENT[0]!].map((chain) => [chain, daemonOf(chain, ports.get(chain)!)] as const)
);

/** Puts the daemon of a chain, where it has one, in the place of what only listens. */
async function replace(chain: string): Promise<void> {
	await closed(silent.get(chain)!);
	await daemons.get(chain)?.daemon.http.open();
}
for (const chain of [...ONLINE, ...REFUSING]) await replace(chain);

const entries = NAMES.map((chain) => ({
	...{ chain, url: `http://127.0.0.1:${ports.get(chain)}`, user: 'bench', password: 'bench' },
	...daemons.get(chain)?.login
}));
writeFileSync(process.env['CONFIG']!, JSON.stringify({ daemons: entries }));

const [, port] = await listen((request, response) => {
	if (request.method === 'GET') response.end(String(asked));
	else void replace(SILENT[0]!).then(() => response.end());
});
process.stdout.write(`${port}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
