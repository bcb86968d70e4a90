/**
 * Replays the requests that were recorded from the HTTP, dispatch and task layers of trading node release
 * 3.0.0, in their order, against devnet's trading node with the profile of this release.
 */
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseJson, stringifyJson } from '#lib/rpc/json.ts';
import { startDevnet } from '../../support/devnet.ts';
import { mutants } from '../mutants.ts';
import { readExceptions } from '../replay/exceptions.ts';
import { kdfMismatches, type KdfAnswer } from './compare.ts';
import { readKdfRecordings, RECORDED_PASSWORD, type KdfRecording } from './recordings.ts';
import { shared } from '../../support/shared.ts';

const LEAST_SHARE = 0.9;

const recordings = readKdfRecordings();
const exceptions = readExceptions(
	readFileSync(join(import.meta.dirname, 'exceptions.txt'), 'utf8')
);
const played = new Map<string, { recording: KdfRecording; answer: KdfAnswer }>();

/** Uses Node's own HTTP client, which sends a body with any method. */
function send(method: string, path: string, body: string | null): Promise<KdfAnswer> {
	const { url } = net.node;
	return new Promise((resolve, reject) => {
		const headers = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
		const sent = httpRequest(url + path, { method, headers }, (response) => {
			const parts: Buffer[] = [];
			response.on('data', (part: Buffer) => parts.push(part));
			response.on('end', () =>
				resolve({
					status: response.statusCode ?? 0,
					contentType: response.headers['content-type'] ?? null,
					text: Buffer.concat(parts).toString('utf8')
				})
			);
		});
		sent.once('error', reject);
		sent.end(body ?? '');
	});
}

const withPassword = (text: string): string =>
	text.replaceAll(RECORDED_PASSWORD, net.node.password);

async function play(recording: KdfRecording): Promise<void> {
	const { method, path } = recording.http;
	const body = recording.request === null ? null : withPassword(recording.request);
	played.set(recording.name, { recording, answer: await send(method, path, body) });
}

/** Waits until a task of the node ended. */
async function finished(id: number): Promise<void> {
	for (;;) {
		const { tasks } = await net.control.node();
		if (tasks.some((task) => task.id === id && (task.state === 'Ok' || task.state === 'Error'))) {
			return;
		}
	}
}

/** Actions on the recorded node between the pairs. */
const before: Readonly<Record<string, () => Promise<unknown>>> = {
	// The task's status is requested before it advances.
	'98-bch-init': () => net.control.kdfTasks({ hold: true }),
	'106-bch-init-empty-bchd': () => net.control.kdfTasks({ hold: false }),
	'107-bch-user_action-finished': () => finished(1),
	// The tenth wrong password, in the second protocol.
	'123-wrong-userpass-legacy-11': () =>
		send('POST', '/', '{"mmrpc":"2.0","userpass":"bad","method":"get_enabled_coins","id":10}')
};

const net = shared(() => startDevnet({ profile: 'daemon-0.9.0', young: true }));
beforeAll(async () => {
	for (const coin of ['KMD', 'NOPFX']) {
		const { status } = await send(
			'POST',
			'/',
			JSON.stringify({
				userpass: net.node.password,
				method: 'electrum',
				coin,
				servers: net.node.coins['KMD']!.electrum
			})
		);
		if (status !== 200) throw new Error(`${coin} was not activated`);
	}
	for (const recording of recordings) {
		await before[recording.name]?.();
		await play(recording);
	}
});

const expectedOf = ({ http, answer }: KdfRecording): KdfAnswer => ({
	status: http.status,
	contentType: http.contentType,
	text: answer
});
const mismatchesOf = (name: string): string[] => {
	const { recording, answer } = played.get(name)!;
	return kdfMismatches(expectedOf(recording), answer);
};

describe('the recordings of a running trading node', () => {
	test('each is answered in the same way, but for those on the reviewed list', () => {
		const wrong = recordings
			.filter(({ name }) => !exceptions.has(name) && mismatchesOf(name).length > 0)
			.map(({ name }) => `${name}: ${mismatchesOf(name).join('\n  ')}`);
		expect(wrong).toEqual([]);
		expect(recordings).toHaveLength(108);
	});

	test('no line of the list is for nothing', () => {
		const needless = [...exceptions.keys()].filter(
			(name) => !played.has(name) || mismatchesOf(name).length === 0
		);
		expect(needless).toEqual([]);
	});

	test('nine of ten are replayed', () => {
		const fitting = recordings.filter(({ name }) => mismatchesOf(name).length === 0);
		const toTheByte = fitting.filter(
			({ name, answer }) => withPassword(answer) === played.get(name)!.answer.text
		);
		console.info(
			`trading node: replayed ${fitting.length} of ${recordings.length}, to the byte ${toTheByte.length}, exceptions ${exceptions.size}`
		);
		expect(fitting.length / recordings.length).toBeGreaterThan(LEAST_SHARE);
	});

	test('every error of the network that was collected elsewhere comes from a cause of its own', async () => {
		await net.control.restartNode({});
		const servers = [{ url: '127.0.0.1:1' }];
		const call = async (more: object): Promise<unknown> => {
			const body = { userpass: net.node.password, method: 'electrum', coin: 'ALPHA', ...more };
			return JSON.parse((await send('POST', '/', JSON.stringify(body))).text);
		};
		expect(await call({ servers, min_connected: 0 })).toEqual({
			error: expect.stringMatching(
				/Internal error: manager:\d+\] min_connected should be greater than 0$/
			)
		});
		expect(await call({ servers, min_connected: 2, max_connected: 1 })).toEqual({
			error: expect.stringMatching(/min_connected \(2\) must be <= max_connected \(1\)$/)
		});
		expect(await call({ servers: [] })).toEqual({
			error: expect.stringMatching(/min_connected \(1\) must be <= max_connected \(0\)$/)
		});
		expect(await call({ servers })).toEqual({
			error: expect.stringMatching(
				/Deactivated coin due to error in balance querying: Ok\(Err\(.*All servers errored: .*Failed to establish connection/
			)
		});
		// The coin was removed again, so that it can be activated again.
		expect(await call({ servers: net.node.coins['ALPHA']!.electrum })).toMatchObject({
			result: 'success'
		});
	});
});

describe('an answer with one thing wrong', () => {
	test('another status, another content type, a changed member are noticed', () => {
		const missed = recordings.flatMap((recording) => {
			const { name } = recording;
			const { answer } = played.get(name)!;
			if (mismatchesOf(name).length > 0) return [];
			const noticed = (change: Partial<KdfAnswer>): boolean =>
				kdfMismatches(expectedOf(recording), { ...answer, ...change }).length > 0;
			const found: string[] = [];
			if (!noticed({ status: answer.status + 1 })) found.push(`${name}: status`);
			if (!noticed({ contentType: 'text/plain' })) found.push(`${name}: content type`);
			if (!/^[{[]/.test(answer.text)) return found;
			for (const mutant of mutants(parseJson(answer.text))) {
				if (!noticed({ text: stringifyJson(mutant.value) })) {
					found.push(`${name}: ${mutant.rule} ${mutant.path}`);
				}
			}
			return found;
		});
		expect(missed).toEqual([]);
	});
});
