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
import { smallChain } from '../../support/smallChain.ts';
import { NAMES, ONLINE, REFUSING, SILENT } from './names.ts';

const BLOCKS = 40;
/** Chains that share one migrate to each other. */
const CCIDS = [101, 102, 103, 104];

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

let asked = 0;
// All at first, so that no port is given out twice.
const silent = new Map<string, Server>();
const ports = new Map<string, number>();
for (const chain of NAMES) {
	const [server, port] = await listen(() => void (asked += 1));
	silent.set(chain, server);
	ports.set(chain, port);
}
const chains = new Map(
	[...ONLINE, SILENT[0]!].map((name) => {
		const ccid = CCIDS[NAMES.indexOf(name) % CCIDS.length]!;
		return [name, smallChain({ name, ccid, blocks: BLOCKS }, ports.get(name)!)] as const;
	})
);

/** Puts the daemon of a chain, where it has one, in the place of what only listens. */
async function replace(chain: string): Promise<void> {
	await closed(silent.get(chain)!);
	await chains.get(chain)?.daemon.http.open();
}
for (const chain of [...ONLINE, ...REFUSING]) await replace(chain);

const entries = NAMES.map((chain) => ({
	chain,
	url: `http://127.0.0.1:${ports.get(chain)}`,
	user: 'bench',
	password: 'bench',
	...chains.get(chain)?.entry
}));
writeFileSync(process.env['CONFIG']!, JSON.stringify({ daemons: entries }));

const [, port] = await listen((request, response) => {
	if (request.method === 'GET') response.end(String(asked));
	else void replace(SILENT[0]!).then(() => response.end());
});
process.stdout.write(`${port}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
