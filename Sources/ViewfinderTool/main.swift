print("viewfinder")
