import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports of operating systems (from 32,768 on Linux, 49,152 by IANA): one of those could be
 * taken between the check and its use.
 */
const PORTS = { from: 20_000, to: 32_000 };

/** Whether a server can listen there now. */
async function isFree(port: number): Promise<boolean> {
	const server = createServer();
	server.listen(port, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch {
		return false;
	}
	server.close();
	await once(server, 'close');
	return true;
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = randomInt(PORTS.from, PORTS.to);
		if (await isFree(port)) return port;
	}
}
