import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startDevnet } from '../support/devnet.ts';
import { ArgumentsError, readArguments } from './arguments.ts';
import { compareMethods } from './compareMethods.ts';
import { ConfigurationError, readConfiguration } from './configuration.ts';
import { LabError, openLab } from './lab.ts';
import { reportMismatches } from './misfits.ts';
import { judgeNetwork, type NetworkFacts } from './network.ts';
import { readCalls, readMethods, type Subjects } from './readCalls.ts';
import { EXIT, Report } from './report.ts';
import { shared } from '../support/shared.ts';

const regtest: NetworkFacts = {
	name: 'ALPHA',
	network: 'regtest',
	isTestnet: false,
	isDevnet: false
};

describe('the decision whether anything may be sent', () => {
	test('takes daemons that all say regtest, and a devnet', () => {
		expect(judgeNetwork([regtest, { ...regtest, name: 'KMD' }])).toEqual({ kind: 'regtest' });
		expect(judgeNetwork([{ ...regtest, network: 'main', isDevnet: true }])).toEqual({
			kind: 'devnet'
		});
	});

	test.each<[string, Partial<NetworkFacts>]>([
		['the main network, to which asset chains belong, too', { network: 'main' }],
		['the public test network', { network: 'test' }],
		['a network that is not named', { network: null }],
		['a network that calls itself regtest and testnet', { isTestnet: true }],
		['a devnet among other daemons', { network: 'regtest', isDevnet: true }]
	])('refuses %s', (_what, one) => {
		const verdict = judgeNetwork([regtest, { ...regtest, name: 'OTHER', ...one }, regtest]);
		expect(verdict.kind).toBe('refused');
		expect(verdict).toHaveProperty('sentence', expect.stringMatching(/OTHER .* nothing was sent/));
	});

	test('refuses no daemon at all', () => {
		expect(judgeNetwork([]).kind).toBe('refused');
	});
});

describe('the command line', () => {
	const three = ['--daemon', 'a', '--daemon', 'b', '--daemon', 'c'];
	test('names three files, or a devnet', () => {
		expect(readArguments([...three, '--mine'])).toMatchObject({
			files: ['a', 'b', 'c'],
			mines: true,
			migrates: true,
			devnet: null
		});
		expect(readArguments(['--devnet', 'fast'])).toMatchObject({ devnet: 'fast', files: [] });
	});

	test.each([
		[[]],
		[three.slice(2)],
		[[...three, '--devnet', 'fast']],
		[['--devnet', 'fast', '--mine']],
		[[...three, '--timeout', 'long']],
		[[...three, '--unknown']]
	])('refuses %j', (args) => {
		expect(() => readArguments(args)).toThrow(ArgumentsError);
	});
});

describe('a configuration file', () => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-replay-conf-'));
	const file = join(folder, 'ALPHA.conf');
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	test('tells how to reach its daemon on this machine', () => {
		writeFileSync(file, 'rpcuser=u\nrpcpassword=a=b\nrpcport=7772\nrpcconnect=10.0.0.9\n');
		expect(readConfiguration(file)).toEqual({
			file,
			url: 'http://127.0.0.1:7772/',
			user: 'u',
			password: 'a=b',
			dataCarrierSize: null
		});
	});

	test('that lacks something is refused without showing what it has', () => {
		writeFileSync(file, 'rpcuser=u\nrpcpassword=hidden words\n');
		expect(() => readConfiguration(file)).toThrow(ConfigurationError);
		expect(() => readConfiguration(file)).toThrow(/has no rpcport/);
		expect(() => readConfiguration(file)).not.toThrow(/hidden/);
	});
});

test('every reading method of the registry is called', () => {
	const calls = readCalls({ height: 1 } as Subjects);
	expect(readMethods.filter((method) => (calls[method] ?? []).length === 0)).toEqual([]);
});

describe('the report', () => {
	test('counts what fits, and ends with a code of its own for each outcome', () => {
		const lines: string[] = [];
		const say = (line: string): void => void lines.push(line);
		const fits = new Report(say);
		fits.same('blocks', 'block 1', 'a', 'a');
		expect(fits.end()).toBe(EXIT.fits);
		expect(lines.at(-1)).toBe('0 mismatches');
		const waits = new Report(say);
		waits.unfinished('coins', 'No block came.');
		expect(waits.end()).toBe(EXIT.unfinished);
		const differs = new Report(say);
		differs.same('blocks', 'block 1', 'a', 'b');
		differs.unfinished('coins', 'No block came.');
		expect(differs.end()).toBe(EXIT.mismatches);
		expect(lines).toContain('mismatch: blocks: block 1: the product says a, the daemon b.');
		expect(lines.at(-1)).toBe('1 mismatches');
	});
});

describe('the responses that the product could not read strictly', () => {
	const line = (chain: string, n: number): string =>
		`komodeck_upstream_misfits{upstream="${chain}"} ${n}`;
	const reported = (...lines: string[]): { code: number; said: string[] } => {
		const said: string[] = [];
		const report = new Report((one) => void said.push(one));
		reportMismatches(`# TYPE komodeck_upstream_misfits gauge\n${lines.join('\n')}\n`, 3, report);
		return { code: report.end(), said };
	};

	test('are none when each daemon is counted with 0', () => {
		const { code, said } = reported(line('KMD', 0), line('ALPHA', 0), line('BETA', 0));
		expect(code).toBe(EXIT.fits);
		expect(said).toContain('      3 daemons whose answers the product counted');
	});

	test('are a mismatch of their daemon', () => {
		const { code, said } = reported(line('KMD', 0), line('ALPHA', 12), line('BETA', 0));
		expect(code).toBe(EXIT.mismatches);
		expect(said).toContain(
			'mismatch: answers that the product met: 12 of ALPHA did not fit the registry.'
		);
	});

	test('are a mismatch where the metrics leave a daemon out', () => {
		expect(reported(line('KMD', 0), line('BETA', 0)).code).toBe(EXIT.mismatches);
		expect(reported().code).toBe(EXIT.mismatches);
	});
});

describe('a lab', () => {
	const devnet = shared(() => startDevnet({ bare: true }));
	const conf = (file: string): string => join(devnet.dir, file);

	test('of three devnet daemons is recognized by its control API', async () => {
		const files = [conf('komodo.conf'), conf('BETA/BETA.conf'), conf('ALPHA/ALPHA.conf')];
		const { kind, kmd, source, destination } = await openLab({ files });
		expect([kind, kmd.chain, source.chain, destination.chain]).toEqual([
			'devnet',
			'KMD',
			'BETA',
			'ALPHA'
		]);
	});

	test('names the reading methods that a daemon always refuses, which are no mismatch', async () => {
		const files = ['komodo.conf', 'ALPHA/ALPHA.conf', 'BETA/BETA.conf'].map(conf);
		const { source } = await openLab({ files });
		const [coin] = await source.client.call('listunspent');
		const { txid } = coin!;
		const lines: string[] = [];
		const report = new Report((line) => void lines.push(line));
		await devnet.control.buildingIndexes('ALPHA', { addressIndex: false });
		try {
			await compareMethods(
				{ rpc: (_daemon, body) => source.client.answer(body) },
				source,
				{ symbol: 'ALPHA', ccid: source.ccid, txid, tokenid: txid },
				report
			);
		} finally {
			await devnet.control.buildingIndexes('ALPHA', { addressIndex: true });
		}
		expect(report.end()).toBe(EXIT.fits);
		const refused = lines.flatMap(
			(line) => /^not possible with these daemons: (\w+) on ALPHA: ./.exec(line)?.[1] ?? []
		);
		expect(refused).toContain('getaddressbalance');
		expect(refused).not.toContain('getblockcount');
		expect(new Set(refused).size).toBe(refused.length);
		expect(lines).toContainEqual(expect.stringMatching(/^ +\d+ calls of reading methods$/));
		expect(lines).toContainEqual(
			expect.stringMatching(/^ +\d+ calls of reading methods that were refused$/)
		);
	});

	test('whose daemons say "main" without such a control API is refused', async () => {
		const elsewhere = mkdtempSync(join(tmpdir(), 'komodeck-replay-main-'));
		try {
			const copied = ['komodo', 'ALPHA', 'BETA'].map((name) => {
				const { user, password, url } = devnet.chains.get(name === 'komodo' ? 'KMD' : name)!;
				const file = join(elsewhere, `${name}.conf`);
				const port = new URL(url).port;
				writeFileSync(file, `rpcuser=${user}\nrpcpassword=${password}\nrpcport=${port}\n`);
				return file;
			});
			const tips = await devnet.control.state();
			await expect(openLab({ files: copied })).rejects.toThrow(
				/belongs to the network "main", where coins may be worth something: nothing was sent/
			);
			const { chains } = await devnet.control.state();
			expect(chains).toEqual(tips.chains);
		} finally {
			rmSync(elsewhere, { recursive: true, force: true });
		}
	});

	test.each([
		['two daemons of one chain', ['komodo.conf', 'BETA/BETA.conf', 'BETA-notary-1/BETA.conf']],
		['no KMD', ['GAMMA/GAMMA.conf', 'BETA/BETA.conf', 'ALPHA/ALPHA.conf']],
		['chains with different ids', ['komodo.conf', 'GAMMA/GAMMA.conf', 'ALPHA/ALPHA.conf']]
	])('with %s is refused', async (_what, files) => {
		await expect(openLab({ files: files.map(conf) })).rejects.toThrow(LabError);
	});
});
