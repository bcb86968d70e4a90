import { join } from 'node:path';
import { routes, type RouteAccess, type Who } from '#lib/server/access/policy/routes.ts';

/** The part of the bundler's module graph that is used here. */
interface Graph {
	getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** Pages of readers that must use a module to share it: with fewer, most would load code that few use. */
const MANY_READ_PAGES = 6;
/** Pages of members that must use a module to share it. */
const MANY_PAGES = 7;

/** Whether readers may open a page, without an account where browsing is public. */
const isForReaders = (who: Who | undefined): boolean => who === 'read' || who === 'anyone';

type Script = 'frame' | 'reading' | 'forms';

/** Returns the module id of a file: bundlers use forward slashes on all platforms. */
const idOf = (...parts: string[]): string => join(...parts).replaceAll('\\', '/');

/** Returns these modules and all that they import, directly or not. */
function reachedBy(ids: readonly string[], graph: Graph): Set<string> {
	const reached = new Set(ids);
	// Iterating over a set also visits elements that are added meanwhile.
	for (const id of reached) {
		for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
	}
	return reached;
}

/** Returns the modules of a route: its page, and its layouts except the root one; empty without a page. */
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

/** Returns the script that each shared module belongs to, by module id. */
function sharedModules(root: string, graph: Graph): ReadonlyMap<string, Script> {
	const layout = graph.getModuleInfo(idOf(root, 'src/routes/+layout.svelte'));
	// The style sheet stays in the layout: otherwise every script that imports the frame would reference it.
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
 * Groups shared modules into three scripts: the frame of all pages, what many pages of readers use, and what
 * many forms use. Without groups, a page loads 48 small scripts, each with its own HTTP headers; with a
 * single group, readers would load the forms of members.
 *
 * @param root the project's folder
 * @returns groups for the bundler, last one checked first: a group also takes what its modules import
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
