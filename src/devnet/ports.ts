/** The ports of a network: 40 from its base port, for the daemons, the trading node, its servers and the control API. */
import { createServer } from 'node:net';
import { listenOnLoopback } from './loopback.ts';

/** Number of ports that a network uses from its base port. */
export const PORTS_USED = 40;
/** The first base port that is tried, and the distance to the next one. */
const FIRST = 17770;
const STEP = 100;

async function isFree(port: number): Promise<boolean> {
	const server = createServer();
	try {
		await listenOnLoopback(server, port);
	} catch {
		return false;
	}
	await new Promise((resolve) => server.close(resolve));
	return true;
}

/** Returns whether all ports of a network are free at this moment. */
export async function areFree(base: number): Promise<boolean> {
	const free = await Promise.all(
		Array.from({ length: PORTS_USED }, (_, offset) => isFree(base + offset))
	);
	return free.every(Boolean);
}

/**
 * Returns a base port from which all ports of a network are free at this moment.
 *
 * @param former base port that the network had before, which is preferred
 */
export async function freeBasePort(former: number | undefined): Promise<number> {
	const bases = former === undefined ? [] : [former];
	for (let base = FIRST; base + PORTS_USED < 65_536; base += STEP) bases.push(base);
	for (const base of bases) if (await areFree(base)) return base;
	throw new Error('no free ports');
}

/** Whether an error says that a port is in use. */
export const isPortTaken = (cause: unknown): boolean =>
	cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
