/** What a change of sources concerns beside the pages, which take theirs by themselves. */
interface Affected {
	application: boolean;
	devnet: boolean;
	indexer: boolean;
	/** The code that started everything. */
	entry: boolean;
}

const within =
	(...folders: string[]) =>
	(path: string): boolean =>
		folders.some((folder) => path.startsWith(`src/${folder}/`));

const isShared = within('lib/chain', 'lib/rpc', 'lib/text');
const isServer = within('lib/server');
const isDevnet = within('devnet');
const isEntry = within('start');

/** @param paths of files that changed, from the project's folder */
export function affectedBy(paths: readonly string[]): Affected {
	const sources = paths
		.map((path) => path.replaceAll('\\', '/'))
		.filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));
	const shared = sources.some(isShared);
	const server = shared || sources.some(isServer);
	return {
		application: server,
		devnet: shared || sources.some(isDevnet),
		indexer: server,
		entry: sources.some(isEntry)
	};
}
