/** Builds if necessary and serves the build. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, isBuilt, ROOT } from './build.ts';
import { endWith } from './endWith.ts';
import { serve, type Pages } from './serve.ts';

async function openBuild(): Promise<Pages> {
	process.env['NODE_ENV'] ||= 'production';
	return (await import(pathToFileURL(join(ROOT, 'build/handler.js')).href)) as Pages;
}

/** Starts the product; on failure reports the reason and exits. */
export async function startProduct(): Promise<void> {
	try {
		if (!isBuilt()) build();
		await serve(openBuild);
	} catch (error) {
		endWith(error);
	}
}
