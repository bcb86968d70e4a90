import { join } from 'node:path';
import { routes, type RouteAccess, type Who } from '#lib/server/access/policy/routes.ts';

/** What the bundler tells of a module. */
interface Graph {
	getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** Pages of readers that make a module worth loading with all of them: fewer, and most would load what few use. */
const MANY_READ_PAGES = 6;
/** Pages of members that make a module worth sharing. */
const MANY_PAGES = 7;

/** A page that can be read without an account. */
const isForReaders = (who: Who | undefined): boolean => who === 'read' || who === 'anyone';

type Script = 'frame' | 'reading' | 'forms';

/** The id of a file: bundlers write paths with slashes everywhere. */
const idOf = (...parts: string[]): string => join(...parts).replaceAll('\\', '/');

/** These modules, what they import, and what that imports. */
function reachedBy(ids: readonly string[], graph: Graph): Set<string> {
	const reached = new Set(ids);
	// A set hands out what is added while it is gone through.
	for (const id of reached) {
		for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
	}
	return reached;
}

/** The modules of a route: its page, and the layouts around it but the outermost. None where there is no page. */
function modulesOf(route: string, root: string, graph: Graph): string[] {
	const page = idOf(root, 'src/routes', route, '+page.svelte');
	if (graph.getModuleInfo(page) === null) return [];
	const layouts = route
		.split('/')
		.slice(1)
		.map((_, at, parts) => idOf(root, 'src/routes', ...parts.slice(0, at + 1), '+layout.svelte'))
		.filter((layout) => graph.getModuleInfo(layout) !== null);
	return [page, ...layouts];
}

/** Which script each shared module goes into, by its id. */
function sharedModules(root: string, graph: Graph): ReadonlyMap<string, Script> {
	const layout = graph.getModuleInfo(idOf(root, 'src/routes/+layout.svelte'));
	// The style sheet stays with the layout: every script that imports the frame would name it.
	const framed = layout?.importedIds.filter((id) => !id.endsWith('.css')) ?? [];
	const scripts = new Map<string, Script>();
	for (const id of reachedBy(framed, graph)) scripts.set(id, 'frame');

	const sharers = new Map<string, { all: number; read: number }>();
	for (const [route, { GET }] of Object.entries<RouteAccess>(routes)) {
		for (const id of reachedBy(modulesOf(route, root, graph), graph)) {
			const { all, read } = sharers.get(id) ?? { all: 0, read: 0 };
			sharers.set(id, { all: all + 1, read: read + (isForReaders(GET) ? 1 : 0) });
		}
	}
	for (const [id, { all, read }] of sharers) {
		if (scripts.has(id)) continue;
		if (read >= MANY_READ_PAGES) scripts.set(id, 'reading');
		else if (read === 0 && all >= MANY_PAGES) scripts.set(id, 'forms');
	}
	return scripts;
}

/**
 * Which modules the scripts of pages hold together: the frame, which every page has; what most pages of readers use;
 * what many forms use. Without, a page takes 48 small scripts, each with headers of its own; with one for all that is
 * shared, readers load the forms of members.
 *
 * @param root the project's folder
 * @returns groups for the bundler, of which the last is asked first: a group takes along what its modules import
 */
export function sharedScripts(root: string): {
	name: (id: string, graph: Graph) => string | null;
	priority: number;
}[] {
	let scripts: ReadonlyMap<string, Script> | undefined;
	return (['forms', 'reading', 'frame'] as const).map((script, priority) => ({
		name(id, graph) {
			scripts ??= sharedModules(root, graph);
			return scripts.get(id) === script ? script : null;
		},
		priority
	}));
}
