/**
 * Daemons of forty small chains, with devnet's own code, and ten offline ones: at five ports nothing listens,
 * five accept connections and never respond. All run in one process. It writes a configuration into the file of
 * `CONFIG` and prints the port of its control API: `GET /asked` returns the number of requests that the silent
 * daemons have received, `POST /wake` replaces the first of them with a daemon that responds.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { smallChain } from '../../support/smallChain.ts';
import { NAMES, ONLINE, REFUSING, SILENT } from './names.ts';

const BLOCKS = 40;
/** Chains with the same CCid can migrate to each other. */
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
// All ports are opened first, so that none is used twice.
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

/** Starts the daemon of a chain in place of its silent listener, if it has one. */
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
