/** A setting asks for a package that is not installed. The message names the setting, the package, and what to do. */
export class MissingPackageError extends Error {
  override name = 'MissingPackageError';

  /** `need` says for what the setting needs the package, as a clause, and `instead` what else can be done. */
  constructor(packageName: string, { setting, need, instead }: Record<'setting' | 'need' | 'instead', string>) {
    super(
      `${setting}: ${need} needs the package ${packageName}, which is not installed; ` +
        `run npm install ${packageName}, or ${instead}`,
    );
  }
}

/** Loads a module that imports a package which an installation may lack, or is it. Null if the package is missing. */
export async function loadIfInstalled<Module>(packageName: string, load: () => Promise<Module>) {
  try {
    return await load();
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
    // The package may be installed, and lack a dependency.
    if (isMissing && String(error).includes(`'${packageName}'`)) return null;
    throw error;
  }
}
