/** The parts that a change of sources affects, apart from pages, which Vite updates itself. */
interface Affected {
	application: boolean;
	devnet: boolean;
	indexer: boolean;
	/** The code in src/start, which runs the process itself. */
	entry: boolean;
}

const within =
	(...folders: string[]) =>
	(path: string): boolean =>
		folders.some((folder) => path.startsWith(`src/${folder}/`));

const isServer = within('lib/server', 'lib/chain', 'lib/rpc', 'lib/text', 'lib/messages');
const isDevnet = within('devnet', 'lib/chain', 'lib/rpc');
const isEntry = within('start');

/** Tells which parts a change affects. @param paths changed files, relative to the project's folder */
export function affectedBy(paths: readonly string[]): Affected {
	const sources = paths
		.map((path) => path.replaceAll('\\', '/'))
		.filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));
	const server = sources.some(isServer);
	return {
		application: server,
		devnet: sources.some(isDevnet),
		indexer: server,
		entry: sources.some(isEntry)
	};
}
