// Works with something that must be closed afterwards, whatever becomes of the work.

export async function useAndClose<Resource extends { close(): unknown }, Value>(
  resource: Resource,
  work: (resource: Resource) => Promise<Value>,
): Promise<Value> {
  try {
    return await work(resource);
  } finally {
    await resource.close();
  }
}
