/**
 * Finds the daemons that the next start would use, checks each, and reports what its configuration lacks.
 * Results never contain credentials.
 */
import { indexDetail } from '#lib/messages/daemonIndexes.ts';
import { errorMessage } from '#lib/messages/errors/index.ts';
import { explainCheck } from '#lib/messages/explained/daemonCheck.ts';
import { switchOnMessage } from '#lib/messages/needs.ts';
import { CONNECT_DAEMONS } from '#lib/messages/pages/connectDaemons.ts';
import type { Gateway } from './chains/daemon/types.ts';
import { stateWord } from './chains/explorer/sidebar.ts';
import { checkDaemons, type DaemonCheck } from './chains/health/checkDaemons.ts';
import { configBlock, refusesLogin, type ConfigBlock } from './chains/health/configBlock.ts';
import { shownConf } from './platform/config/conf.ts';
import { loadNextConfig } from './platform/config/load.ts';
import type { Config, DaemonConfig } from './platform/config/types.ts';
import { isAppError } from './platform/errors/appError.ts';

/** Time limits of a page: for one response, and for one daemon in total. Milliseconds. */
const LIMITS = { timeoutMs: 2_500, deadlineMs: 4_000 };

interface Finding {
	/** Stable code of the finding. */
	code: string;
	what: string;
	next: string;
}

/** A daemon as the page shows it. */
interface FoundDaemon {
	id: string;
	chain: string;
	/** URL without user information. */
	url: string;
	/** The configuration file that it was found by. */
	file: string | null;
	state: ReturnType<typeof stateWord>;
	/** Whether this process already uses it. */
	isConnected: boolean;
	release: string | null;
	height: number | null;
	missing: Finding[];
	/** Configuration lines to copy; `file` is the `.conf` file that they belong in, null while it is not known. */
	block: (ConfigBlock & { file: string | null }) | null;
}

interface FoundDaemons {
	/** The file of `KOMODECK_CONFIG`; null when daemons are discovered. */
	configFile: string | null;
	/** The folder that discovery searches; null when the settings could not be read. */
	home: string | null;
	daemons: FoundDaemon[];
	/** Why something that was found cannot be used, one sentence each. */
	notes: readonly string[];
	/** Why the settings cannot be read, with the error's code. */
	problem: { code: string; words: string } | null;
}

const confOf = ({ credentials }: DaemonConfig): string | null =>
	credentials.kind === 'conf' ? credentials.file : null;

function findingsOf(daemon: DaemonConfig, { problems, indexes }: DaemonCheck): Finding[] {
	const own = problems.map((problem): Finding => {
		const { what, next } = explainCheck(problem);
		if (problem.code !== 'failed') return { code: problem.code, what, next };
		const { error } = problem;
		const login = CONNECT_DAEMONS.login[confOf(daemon) === null ? 'entry' : 'conf'];
		return { code: error.code, what, next: refusesLogin(error, daemon) ? login : next };
	});
	const off = indexes.filter(({ state }) => state === 'off');
	return [
		...own,
		...off.map((fact) => ({
			code: fact.name,
			what: indexDetail(fact),
			next: switchOnMessage(fact.name)
		}))
	];
}

function found(
	daemon: DaemonConfig,
	check: DaemonCheck,
	configFile: string | null,
	gateway: Pick<Gateway, 'daemon'>
): FoundDaemon {
	const { id, chain, url } = daemon;
	const conf = confOf(daemon);
	const block = configBlock(daemon, check, conf === null ? new Map() : shownConf(conf));
	return {
		id,
		chain,
		url,
		file: conf ?? configFile,
		state: stateWord(check.daemon.health.state),
		isConnected: gateway.daemon(id)?.url === url,
		release: check.release,
		height: check.height,
		missing: findingsOf(daemon, check),
		block: block && { ...block, file: conf }
	};
}

/**
 * Finds daemons like `komodeck discover`, and checks them like `komodeck check`. A daemon that hangs delays
 * only its own row, by a few seconds at most.
 *
 * @param gateway the daemons that this process uses
 */
export async function findDaemons(
	env: NodeJS.ProcessEnv,
	gateway: Pick<Gateway, 'daemon'>
): Promise<FoundDaemons> {
	const configFile = env['KOMODECK_CONFIG'] || null;
	let config: Config;
	try {
		config = loadNextConfig(env);
	} catch (error) {
		if (!isAppError(error, 'config', 'mm2')) throw error;
		const { code, params } = error.coded;
		const problem = { code, words: errorMessage(code, params) };
		return { configFile, home: null, daemons: [], notes: [], problem };
	}
	const checks = await checkDaemons(config, LIMITS);
	return {
		configFile,
		home: config.komodoHome,
		daemons: config.daemons.map((daemon, at) => found(daemon, checks[at]!, configFile, gateway)),
		notes: config.notes,
		problem: null
	};
}
