/**
 * `npm run replay`: runs the product against existing daemons, or against devnet, and compares its data with
 * theirs. See docs/replay.md.
 */
import { join } from 'node:path';
import { build, isBuilt } from '../../src/start/build.ts';
import { startDevnet, type Devnet, type DevnetOptions } from '../support/devnet.ts';
import { ArgumentsError, readArguments, USAGE, type Arguments } from './arguments.ts';
import { ConfigurationError } from './configuration.ts';
import { DaemonRefusal } from './daemonClient.ts';
import { LabError, openLab } from './lab.ts';
import { replay } from './replay.ts';
import { EXIT, Report } from './report.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

/** The size that migrations need; release 0.9.0 relays less by default. */
const RELAYED_BYTES = 10_001;

/** Starts a network of its own if requested; its daemons are then named like existing ones. */
async function withDevnet(args: Arguments): Promise<{ args: Arguments; devnet: Devnet | null }> {
	if (args.devnet === null) return { args, devnet: null };
	const profile = args.devnet as NonNullable<DevnetOptions['profile']>;
	const devnet = await startDevnet({ profile, dataCarrierSize: RELAYED_BYTES });
	// The daemons of this profile have no optional indexes. ALPHA gets those that building tokens and burns
	// needs; the other daemons refuse to build them, and the replay only reads there.
	if (profile === 'plain')
		await devnet.control.buildingIndexes('ALPHA', { addressIndex: true, spentIndex: true });
	const files = ['komodo.conf', 'ALPHA/ALPHA.conf', 'BETA/BETA.conf'];
	return { args: { ...args, files: files.map((file) => join(devnet.dir, file)) }, devnet };
}

async function run(): Promise<number> {
	const { args, devnet } = await withDevnet(readArguments(process.argv.slice(2)));
	const report = new Report(say);
	try {
		const lab = await openLab(args);
		if (args.mines && lab.kind !== 'regtest') throw new LabError('--mine is for regtest only.');
		if (!isBuilt()) build();
		await replay(lab, args, report);
		return report.end();
	} finally {
		await devnet?.stop();
	}
}

try {
	process.exitCode = await run();
} catch (error) {
	if (error instanceof ArgumentsError) complain(`${error.message}\n${USAGE}`);
	else if (
		error instanceof LabError ||
		error instanceof ConfigurationError ||
		error instanceof DaemonRefusal
	) {
		complain(error.message);
	} else complain(String(error instanceof Error ? error.stack : error));
	process.exitCode = EXIT.unusable;
}
