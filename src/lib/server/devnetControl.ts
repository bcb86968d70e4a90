/**
 * Client of the control API of the embedded devnet. Available only while every configured daemon belongs to
 * devnet: with a real daemon configured there is nothing to control, whatever files exist.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';
import type { Config } from './platform/config/types.ts';

const TIMEOUT_MS = 10_000;
/** A reset generates all blocks again. */
const RESET_TIMEOUT_MS = 120_000;

const loopback = z.url().refine((url) => new URL(url).hostname === '127.0.0.1');
const devnetFile = z.object({
	daemons: z.array(z.object({ url: loopback })).min(1),
	control: z.object({ url: loopback, password: z.string() })
});

const networkState = z.object({
	chains: z.array(z.object({ name: z.string(), height: z.number(), mempool: z.number() })),
	daemons: z.array(
		z.object({
			id: z.string(),
			chain: z.string(),
			open: z.boolean(),
			faults: z.array(z.object({ kind: z.string() }))
		})
	)
});
const nodeState = z.object({
	device: z.object({
		plugged: z.boolean(),
		grid: z.string().nullable(),
		positions: z.string().nullable()
	})
});

/** State of devnet as members see it. */
export interface DevnetState {
	chains: { name: string; height: number; mempool: number }[];
	daemons: { id: string; chain: string; state: 'online' | 'slow' | 'offline' }[];
	/**
	 * The virtual hardware wallet: its display, digits from the top left, and the positions to press for its
	 * PIN.
	 */
	device: { plugged: boolean; grid: string | null; positions: string | null };
}

/** An action on devnet. */
export type DevnetAct =
	| { kind: 'mine' | 'notarize'; chain: string }
	| { kind: 'stop' | 'slow' | 'restore'; daemon: string }
	| { kind: 'plug' | 'unplug' }
	| { kind: 'reset' };

/** Response time of a daemon that was made slow. Milliseconds. */
const SLOW_MS = 3_000;

function requestOf(act: DevnetAct): { path: string; body: object } {
	switch (act.kind) {
		case 'mine':
			return { path: '/mine', body: { chain: act.chain } };
		case 'notarize':
			return { path: '/notarize', body: { chain: act.chain } };
		case 'stop':
			return { path: '/fault', body: { daemon: act.daemon, kind: 'down' } };
		case 'slow':
			return { path: '/fault', body: { daemon: act.daemon, kind: 'latency', ms: SLOW_MS } };
		case 'restore':
			return { path: '/fault', body: { daemon: act.daemon, kind: 'none' } };
		case 'plug':
		case 'unplug':
			return { path: '/node/device', body: { plugged: act.kind === 'plug' } };
		case 'reset':
			return { path: '/reset', body: {} };
	}
}

export interface DevnetControl {
	state(): Promise<DevnetState>;
	/** @throws when devnet does not respond, or refuses */
	act(act: DevnetAct): Promise<void>;
}

/** Returns a client; null when no devnet runs, or when a configured daemon does not belong to it. */
export async function openDevnetControl(
	config: Pick<Config, 'komodoHome' | 'daemons'>
): Promise<DevnetControl | null> {
	let text: string;
	try {
		text = await readFile(join(config.komodoHome, 'devnet.json'), 'utf8');
	} catch {
		return null;
	}
	const parsed = devnetFile.safeParse(jsonOrNull(text));
	if (!parsed.success) return null;
	const { daemons, control } = parsed.data;
	const own = new Set(daemons.map(({ url }) => new URL(url).origin));
	if (!config.daemons.every(({ url }) => own.has(new URL(url).origin))) return null;

	async function request(
		method: 'GET' | 'POST',
		path: string,
		body?: object,
		timeout = TIMEOUT_MS
	): Promise<unknown> {
		const answer = await fetch(new URL(path, control.url), {
			method,
			headers: { authorization: `Bearer ${control.password}` },
			redirect: 'error',
			signal: AbortSignal.timeout(timeout),
			...(body === undefined ? {} : { body: JSON.stringify(body) })
		});
		if (!answer.ok) throw new Error(`Devnet answered ${path} with ${answer.status}.`);
		return answer.json();
	}

	return {
		async state() {
			const network = networkState.parse(await request('GET', '/state'));
			const { device } = nodeState.parse(await request('GET', '/node'));
			return {
				chains: network.chains,
				daemons: network.daemons.map(({ id, chain, open, faults }) => ({
					id,
					chain,
					state: open ? (faults.some(({ kind }) => kind !== 'none') ? 'slow' : 'online') : 'offline'
				})),
				device
			};
		},
		async act(act) {
			const { path, body } = requestOf(act);
			await request('POST', path, body, act.kind === 'reset' ? RESET_TIMEOUT_MS : TIMEOUT_MS);
		}
	};
}
